"""A model that plays a script, so that the examples work without a key; yours is `anthropic:…`, `openai:…`, …"""

import json
from pathlib import Path
from tempfile import mkdtemp


def model(*turns: dict[str, object]) -> str:
    """Write the turns to a file; the name of the model that plays them."""
    path = Path(mkdtemp()) / "script.json"
    path.write_text(json.dumps({"turns": turns}))
    return f"scripted:{path}"
