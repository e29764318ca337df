"""Parameters are read from texts, told in words, and written as they would be typed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab_toy import EXPERIMENT, ToyParameters
from pydantic import Field, create_model, model_validator

from plyground.core.errors import InputError, Unsupported
from plyground.lab.parameters import allowed, as_text, list_field, options_for, read_parameters
from plyground.lab.report import Report
from plyground.lab.spec import Experiment, Parameters


def read(is_quick: bool = False, **chosen: str) -> ToyParameters:
    return read_parameters(EXPERIMENT, is_quick, chosen)


def refusal(**chosen: str) -> str:
    with pytest.raises(Unsupported) as refused:
        read(**chosen)
    return str(refused.value)


def test_what_is_not_chosen_is_the_default_or_quick() -> None:
    assert read() == ToyParameters()
    assert read(is_quick=True) == ToyParameters(steps=(2, 1), depths=(1,), pairs=1)
    assert read(is_quick=True, steps="7") == ToyParameters(steps=(7,), depths=(1,), pairs=1)


@pytest.mark.parametrize(
    "chosen, value",
    [
        ({"steps": "3, 4,5"}, (3, 4, 5)),
        ({"steps": "[3, 4]"}, (3, 4)),
        ({"steps": "8"}, (8,)),
        ({"steps": ""}, ()),
        ({"pairs": "3"}, 3),
        ({"share": "0.25"}, 0.25),
        ({"verbose": "yes"}, True),
        ({"verbose": "no"}, False),
        ({"game": "connect4"}, "connect4"),
        (
            {"players": "alphabeta:depth=2,eval=zero; random"},
            ("alphabeta:depth=2,eval=zero", "random"),
        ),
        ({"players": '["a;b", "c"]'}, ("a;b", "c")),
    ],
    ids=str,
)
def test_texts_become_values(chosen: dict[str, str], value: Any) -> None:
    [name] = chosen
    assert getattr(read(**chosen), name) == value


@pytest.mark.parametrize(
    "chosen, message",
    [
        ({"pairs": "6"}, "pairs=6: expected a whole number from 0 to 5"),
        ({"pairs": "many"}, "pairs=many: expected a whole number from 0 to 5"),
        ({"depths": "1,4"}, "depths=1,4: expected whole numbers from 1 to 3, separated by commas"),
        ({"depths": "[1"}, "depths=[1: expected whole numbers from 1 to 3, separated by commas"),
        ({"share": "1"}, "share=1: expected a number above 0 and below 1"),
        ({"verbose": "perhaps"}, "verbose=perhaps: expected yes or no"),
        ({"game": "chess"}, "game=chess: expected mnk or connect4"),
        ({"seed": "-1"}, "seed=-1: expected a whole number from 0 up"),
        ({"stpes": "1"}, "unknown parameter 'stpes'; did you mean steps?"),
        (
            {"x": "1"},
            "unknown parameter 'x'; known: "
            "steps, depths, pairs, game, players, verbose, share, seed",
        ),
    ],
    ids=str,
)
def test_what_may_not_be_is_refused_with_what_may(chosen: dict[str, str], message: str) -> None:
    assert refusal(**chosen) == message


class Odd(Parameters):
    most: int = Field(9, le=9, description="")
    below: float = Field(0.5, lt=1, description="")
    between: float = Field(0.5, ge=0, lt=1, description="")
    words: list[Literal["one", "two", "three"]] = Field(["one"], description="")
    maybe: int | None = Field(None, ge=1, description="")
    anything: str = Field("", description="")
    one_of: Annotated[list[float], Field(min_length=1)] = Field([0.5], description="")

    @model_validator(mode="after")
    def _agree(self) -> Odd:
        if self.most == 7:
            raise ValueError("most=7 does not go with the rest")
        return self


class Nothing(Parameters):
    pass


def experiment(parameters: type[Parameters]) -> Experiment[Any]:
    return Experiment("odd", "", "", parameters, {}, lambda p: [], lambda p, r: Report("", []))


@pytest.mark.parametrize(
    "name, words",
    [
        ("most", "a whole number up to 9"),
        ("below", "a number below 1"),
        ("between", "a number from 0 and below 1"),
        ("words", "one, two or three, separated by commas"),
        ("maybe", "a whole number from 1 up or nothing"),
        ("anything", "a text"),
        ("one_of", "numbers, separated by commas"),
    ],
)
def test_what_may_be_is_told_in_words(name: str, words: str) -> None:
    assert allowed(Odd.model_fields[name]) == words


def test_a_complaint_of_the_parameters_themselves_is_passed_on() -> None:
    with pytest.raises(Unsupported, match=r"^most=7 does not go with the rest$"):
        read_parameters(experiment(Odd), False, {"most": "7"})


def test_names_may_have_hyphens() -> None:
    found: Any = read_parameters(experiment(Odd), False, {"one-of": "0.25,1"})
    assert found.one_of == [0.25, 1.0]


def test_without_parameters_none_can_be_set() -> None:
    with pytest.raises(Unsupported, match=r"^odd has no parameters$"):
        read_parameters(experiment(Nothing), False, {"depth": "1"})


@given(
    st.builds(
        ToyParameters,
        steps=st.lists(st.integers(0, 99)).map(tuple),
        pairs=st.integers(0, 5),
        game=st.sampled_from(["mnk", "connect4"]),
        players=st.lists(st.sampled_from(["random", "uct:nodes=5,c=1"]), min_size=1).map(tuple),
        verbose=st.booleans(),
        share=st.floats(0.001, 0.999),
    ),
    st.booleans(),
)
def test_the_options_of_parameters_lead_back_to_them(
    parameters: ToyParameters, is_quick: bool
) -> None:
    options = options_for(EXPERIMENT, parameters, is_quick)
    chosen = [option for option in options if not option.startswith("--")]
    texts = dict(option.split("=", 1) for option in chosen)
    assert ("--quick" in options) == is_quick
    assert read_parameters(EXPERIMENT, is_quick, texts) == parameters


@given(st.sampled_from(list(ToyParameters.model_fields)), st.text())
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    try:
        found = read_parameters(EXPERIMENT, False, {name: text})
    except InputError as error:
        assert str(error).startswith(f"{name}=")
    else:
        field = ToyParameters.model_fields[name]
        again = read_parameters(EXPERIMENT, False, {name: as_text(getattr(found, name), field)})
        assert name == "players" or again == found


def test_a_list_of_values_is_a_field_of_their_kind() -> None:
    made: Any = create_model("Made", __base__=Parameters, share=list_field([0.5, 1.0], "Shares."))
    field = made.model_fields["share"]
    assert (field.description, field.default) == ("Shares.", (0.5, 1.0))
    assert allowed(field) == "numbers, separated by commas"
    assert made.model_validate({"share": ["2", "3"]}).share == (2.0, 3.0)
