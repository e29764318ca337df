"""The OpenAPI document is complete, and whatever it allows or forbids is answered as it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import asking
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis import APIOperation, GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import positive_data_acceptance
from web_server import web_server

from plyground.web.app import ROUTES, Options, make_api

EXAMPLES = 10  # of each operation, right ones and wrong ones
MOST_ADDRESS = 50_000
DOCUMENT = make_api(Options()).openapi()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
# Where much too much is sent, the server need not read what it is.
SCHEMA.config.checks.negative_data_rejection.expected_statuses.append("413")
API = [found.ok() for found in SCHEMA.get_all_operations()]
OPERATIONS = [
    (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]
load_all_checks()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own: what is sent here is nothing that other tests should find."""
    with web_server(Path(tmp_path_factory.mktemp("api"))) as server:
        yield server.address.rstrip("/")


# Its own plugin of pytest imports what it can at the end of every session, which fails where a
# browser was driven before; so it is left out, and the strategies are used as they are.
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", API, ids=lambda each: each.label)
def test_every_question_is_answered_as_the_document_says(
    operation: APIOperation, mode: GenerationMode, address: str
) -> None:
    @hypothesis.settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        # Beyond that the server hangs up, as all do, before it knows what is asked.
        hypothesis.assume(len(urlencode(case.query or {}, doseq=True)) < MOST_ADDRESS)
        # A valid question may still name a game or a move that there is not.
        case.call_and_validate(
            base_url=address,
            headers=asking.token_for(address),
            excluded_checks=[positive_data_acceptance],
        )

    if mode is GenerationMode.NEGATIVE and not _can_be_wrong(operation):
        assert operation.method.upper() == "GET"
        return
    ask()


def _can_be_wrong(operation: APIOperation) -> bool:
    documented = DOCUMENT["paths"][operation.path][operation.method]
    return bool(documented.get("parameters") or documented.get("requestBody"))


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=[f"{m} {p}" for m, p, _ in OPERATIONS]
)
def test_every_operation_is_documented(method: str, path: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert len(operation["description"]) > 10
    assert operation["tags"]
    answers = operation["responses"]
    assert {"403"} <= set(answers)
    for status, answer in answers.items():
        content = answer["content"]
        [kind] = content
        schema = content[kind]["schema"]
        assert schema, f"{status} says nothing of its answer"
        if status != "200":
            assert schema["$ref"].endswith("/Problem")
    asks = operation.get("parameters") or operation.get("requestBody")
    assert not asks or {"400", "422"} <= set(answers)
    for parameter in operation.get("parameters", []):
        _has_bounds(parameter["name"], parameter["schema"])


def _has_bounds(name: str, schema: dict[str, Any]) -> None:
    """Nothing that is sent may be arbitrarily large."""
    kinds = [kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null"]
    for kind in kinds:
        if kind["type"] == "string":
            assert {"maxLength", "pattern", "enum", "const"} & set(kind), name
        if kind["type"] == "integer":
            assert {"minimum", "exclusiveMinimum"} & set(kind), name
            assert {"maximum", "exclusiveMaximum"} & set(kind), name


def test_the_document_is_served_and_its_page_loads_nothing_from_elsewhere(address: str) -> None:
    served = asking.get(f"{address}/api/openapi.json").json()
    assert served == DOCUMENT
    assert asking.get(f"{address}/docs").status_code == 404
    assert asking.get(f"{address}/redoc").status_code == 404


def test_every_route_under_api_is_in_the_document() -> None:
    routes = [route for module in ROUTES for route in module.router.routes]
    paths = {path for route in routes if (path := route.path).startswith("/api/")}
    assert paths == set(DOCUMENT["paths"])
    assert len(paths) >= 14


def test_what_the_toolkit_refuses_is_told_as_all_else(address: str) -> None:
    for method, path, status in [
        ("GET", "/api/nothing", 404),
        ("PATCH", "/api/store/games/1", 405),
        ("GET", "/api/position", 405),
    ]:
        answer = asking.request(method, address + path)
        assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert asking.patch(f"{address}/api/store/games/1").headers["allow"] == "DELETE, GET"
