"""`finclaw_cli.sdk.settings`: each wrong setting is named, and no value is shown."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field, field_validator

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.settings import SettingsError, read_settings
from finclaw_cli.testing.tools import tool_context


class Inner(BaseModel):
    size: int = 1


class Wanted(BaseModel, frozen=True):
    live: bool = False
    days: int = Field(default=1, ge=1)
    names: list[str] = []
    inner: Inner = Inner()

    @field_validator("names")
    @classmethod
    def _short(cls, names: list[str]) -> list[str]:
        if any(len(name) > 3 for name in names):
            raise ValueError("must be short names.")
        return names


def read(**settings: object) -> Wanted:
    return read_settings(Wanted, tool_context(settings=settings), "finclaw-notes")


def test_settings_that_are_not_set_have_their_defaults() -> None:
    assert read() == Wanted()
    assert read(live=True, names=["a"]) == Wanted(live=True, names=["a"])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lvie": True}, "lvie is no setting (known: live, days, names, inner)"),
        ({"live": "yes"}, "live: Input should be a valid boolean"),
        ({"days": 0}, "days: Input should be greater than or equal to 1"),
        ({"names": ["secret"]}, "names: must be short names."),
        ({"inner": {"size": "1"}}, "inner.size: Input should be a valid integer"),
        ({"inner": {"sise": 1}}, "inner.sise is no setting"),
        ({"lvie": True, "days": 0}, "days: "),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(**settings)
    text = str(caught.value)
    assert text.startswith("NOT_CONFIGURED: [plugin.finclaw-notes] ")
    assert message in text
    assert "secret" not in text
    assert caught.value.__context__ is None


def test_the_error_can_leave_a_tool_as_it_is() -> None:
    assert issubclass(SettingsError, ToolError)
