"""Who the peers are: how each is installed, pointed at a server, and asked one question without any frills."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

# Put in at the moment of asking.
URL, HOME = "@URL@", "@HOME@"
KEPT = ("PATH", "LANG", "TMPDIR", "TERM")


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """An agent for the command line. In `asked`, `env` and `files`, the server's address and its home are put in."""

    name: str
    command: str
    packages: tuple[str, ...]
    installer: Literal["pip", "npm"]
    dialect: str
    asked: tuple[str, ...]
    bar: float
    """The least that its CPU has to be of finclaw's."""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    programs: tuple[str, ...] = ()
    """Where its program is, the first that is there; without any, where its installer links it."""

    def installing(self, folder: Path) -> list[list[str]]:
        """The commands that install it; from where is the installer's own business."""
        if self.installer == "npm":
            return [["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", *self.packages]]
        python = folder / "venv" / "bin" / "python"
        return [
            [sys.executable, "-m", "venv", str(folder / "venv")],
            [str(python), "-m", "pip", "install", "-q", *self.packages],
        ]

    def program(self, folder: Path) -> Path | None:
        """Its program, if it is installed."""
        linked = {"npm": f"node_modules/.bin/{self.command}", "pip": f"venv/bin/{self.command}"}[self.installer]
        found = (path for pattern in (*self.programs, linked) for path in folder.glob(pattern))
        return next(found, None)

    def ready(self, program: Path, url: str, home: Path) -> tuple[list[str], dict[str, str]]:
        """The command and its environment, with its settings written into a home of its own."""

        def put_in(text: str) -> str:
            return text.replace(URL, url).replace(HOME, str(home))

        for name, content in self.files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(put_in(content))
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        env = {**kept, "HOME": str(home), **{name: put_in(value) for name, value in self.env.items()}}
        return [str(program), *map(put_in, self.asked)], env


ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-ant-of-no-account", "ANTHROPIC_BASE_URL": URL}
CODEX_SERVER = f'model_providers.here={{name="here",base_url="{URL}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}}'
PI_MODELS = {
    "providers": {
        "here": {"baseUrl": URL, "api": "anthropic-messages", "apiKey": "sk-ant-of-no-account", "models": [{"id": "m"}]}
    }
}
OPENCODE = {
    "provider": {
        "here": {
            "npm": "@ai-sdk/anthropic",
            "options": {"baseURL": f"{URL}/v1", "apiKey": "sk-ant-of-no-account"},
            "models": {"m": {"name": "m"}},
        }
    },
    "autoupdate": False,
    "share": "disabled",
}
GEMINI = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
_ALL = (
    Peer(
        name="llm",
        command="llm",
        packages=("llm",),
        installer="pip",
        dialect="chat",
        asked=("-m", "here", "x"),
        env={"LLM_USER_PATH": f"{HOME}/llm", "OPENAI_API_KEY": "sk-of-no-account"},
        files={"llm/extra-openai-models.yaml": f"- model_id: here\n  model_name: m\n  api_base: {URL}/v1\n"},
        bar=4,
    ),
    Peer(
        name="llm-anthropic",
        command="llm",
        packages=("llm", "llm-anthropic"),
        installer="pip",
        dialect="anthropic",
        asked=("-m", "claude-sonnet-4.5", "x"),
        env={**ANTHROPIC, "LLM_USER_PATH": f"{HOME}/llm"},
        bar=4,
    ),
    Peer(
        name="clai",
        command="clai",
        packages=("clai",),
        installer="pip",
        dialect="anthropic",
        asked=("-m", "anthropic:claude-sonnet-4-5", "x"),
        env=ANTHROPIC,
        bar=4,
    ),
    Peer(
        name="pi",
        command="pi",
        packages=("@mariozechner/pi-coding-agent",),
        installer="npm",
        dialect="anthropic",
        asked=("-p", "--mode", "json", "--no-session", "--provider", "here", "--model", "m", "x"),
        env={"PI_CODING_AGENT_DIR": f"{HOME}/pi", "PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1"},
        files={"pi/models.json": json.dumps(PI_MODELS)},
        bar=1,
    ),
    Peer(
        name="gemini",
        command="gemini",
        packages=("@google/gemini-cli",),
        installer="npm",
        dialect="gemini",
        asked=("-p", "x", "--output-format", "stream-json", "-m", "gemini-2.5-flash", "--skip-trust"),
        env={"GEMINI_API_KEY": "of-no-account", "GOOGLE_GEMINI_BASE_URL": URL},
        files={".gemini/settings.json": json.dumps(GEMINI)},
        bar=1,
    ),
    Peer(
        name="opencode",
        command="opencode",
        packages=("opencode-ai",),
        installer="npm",
        dialect="anthropic",
        asked=("run", "--format", "json", "-m", "here/m", "x"),
        env={"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"},
        files={".config/opencode/opencode.json": json.dumps(OPENCODE)},
        bar=1,
    ),
    Peer(
        name="codex",
        command="codex",
        packages=("@openai/codex",),
        installer="npm",
        dialect="responses",
        asked=(
            "exec", "--ephemeral", "--skip-git-repo-check", "--json", "-c", "analytics.enabled=false",
            "-c", "model_provider=here", "-c", CODEX_SERVER, "-m", "gpt-5", "x",
        ),
        env={"CODEX_HOME": f"{HOME}/codex", "OPENAI_API_KEY": "sk-of-no-account"},
        files={"codex/config.toml": ""},
        programs=("node_modules/@openai/codex-*/vendor/*/*/codex",),  # without the script that only starts it
        bar=1 / 1.3,
    ),
    Peer(
        name="claude",
        command="claude",
        packages=("@anthropic-ai/claude-code",),
        installer="npm",
        dialect="anthropic",
        asked=(
            "--bare", "-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages",
            "--model", "claude-sonnet-4-5", "x",
        ),
        env={**ANTHROPIC, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
        bar=1,
    ),
)  # fmt: skip
PEERS: Mapping[str, Peer] = {peer.name: peer for peer in _ALL}
