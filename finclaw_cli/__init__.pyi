from finclaw_cli.agent import Agent as Agent
from finclaw_cli.agent import AgentOptions as AgentOptions
from finclaw_cli.agent import Approval as Approval
from finclaw_cli.agent import ApprovalRequest as ApprovalRequest
from finclaw_cli.agent import Conversation as Conversation
from finclaw_cli.agent import Event as Event
from finclaw_cli.agent import RunFailed as RunFailed
from finclaw_cli.agent import RunResult as RunResult
from finclaw_cli.batch import BadLine as BadLine
from finclaw_cli.batch import BadLines as BadLines
from finclaw_cli.batch import Batch as Batch
from finclaw_cli.batch import BatchItem as BatchItem
from finclaw_cli.batch import BatchStatus as BatchStatus
from finclaw_cli.batch import BatchStop as BatchStop

__version__: str
NOT_ON_WINDOWS: str
