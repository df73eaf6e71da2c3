"""For authors' own tests. Like `finclaw_cli.sdk` a public face: nothing inside finclaw imports it.

    from finclaw_cli.testing.tools import run_tool, run_tool_async, tool_context
    from finclaw_cli.testing.runs import play, play_async
    from finclaw_cli.testing.declarations import choices, declared, defaults
    from finclaw_cli.testing.contract import check_plugin, check_provider

With finclaw installed, pytest also knows the fixtures `finclaw_home`, `tool_context` and `scripted_run`.
"""
