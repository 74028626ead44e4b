"""Settings of a game: pydantic models with errors that list what is allowed."""

import re
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from bearenvs.errors import SettingsError, shown


def read_value(text: str) -> bool | int | str:
    """Return the value that a setting's ``text`` looks like; what is neither a truth nor a number stays text.

    >>> [read_value(text) for text in ("true", "False", "-3", "2_000", "1__0", "many")]
    [True, False, -3, 2000, '1__0', 'many']
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if re.fullmatch(r"-?[0-9](_?[0-9]){0,17}", text) else text


class Settings(BaseModel):
    """Base of every game's settings. A subclass declares each setting with its range, default and description."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    num_players: int

    @field_validator("num_players", mode="before")
    @classmethod
    def _is_no_fraction(cls, value: object) -> object:
        if isinstance(value, float | complex):
            raise ValueError("it must be an integer")  # where choices are listed, pydantic takes 3.0 for 3
        return value

    @classmethod
    def parse(cls, game: str, values: dict[str, Any]) -> Self:
        """Return the validated settings; SettingsError names the setting and what it may be."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise SettingsError("; ".join(cls._explain(game, item) for item in error.errors())) from None

    @classmethod
    def _explain(cls, game: str, item: Any) -> str:
        name = ".".join(str(part) for part in item["loc"])
        if item["type"] == "extra_forbidden":
            return f"{game} has no setting {name!r}; its settings are {', '.join(sorted(cls.model_fields))}, content"
        where = f"{game}: setting {name}={shown(item['input'])}" if name else game
        message = item["msg"].removeprefix("Value error, ")
        return f"{where}: {message}" + (f" ({cls.allowed(name)})" if name in cls.model_fields else "")

    @classmethod
    def allowed(cls, name: str) -> str:
        """Return in words which values the setting ``name`` takes."""
        schema = cls.model_json_schema()["properties"][name]
        if "enum" in schema:
            return "one of " + ", ".join(repr(value) for value in schema["enum"])
        if schema.get("type") == "boolean":
            return "True or False"
        low, high = schema.get("minimum", "..."), schema.get("maximum", "...")
        return f"an integer from {low} to {high}"

    def changed(self) -> dict[str, Any]:
        """Return the settings that are not defaults, and always ``num_players``."""
        given = {name: getattr(self, name) for name in type(self).model_fields}
        return {
            name: value
            for name, value in given.items()
            if name == "num_players" or value != type(self).model_fields[name].default
        }
