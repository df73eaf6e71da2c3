from finclaw_cli.agent import Agent as Agent
from finclaw_cli.agent import AgentOptions as AgentOptions
from finclaw_cli.agent import Approval as Approval
from finclaw_cli.agent import ApprovalRequest as ApprovalRequest
from finclaw_cli.agent import Conversation as Conversation
from finclaw_cli.agent import Event as Event
from finclaw_cli.agent import RunFailed as RunFailed
from finclaw_cli.agent import RunResult as RunResult

__version__: str
NOT_ON_WINDOWS: str
