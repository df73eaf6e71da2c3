"""Where requests go, and with which key: addresses of providers, and servers that the settings name."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, Ran
from tests.e2e.talking import PROMPT, talking
from tests.wire.server import VectorServer, threaded

pytestmark = pytest.mark.by_agent

SICK = Chat().error(500, "api_error", "down")
KEYS = {"OPENAI_API_KEY": "sk-vendor-0123456789", "ANTHROPIC_API_KEY": "sk-ant-vendor-0123456789"}
DIALECTS = {"openai-chat": Chat(), "openai-responses": Responses(), "anthropic": Anthropic()}


def ask(finclaw: Finclaw, *arguments: str, env: dict[str, str] | None = None) -> Ran:
    return finclaw("run", "-o", "ndjson", "--retry-attempts", "1", *arguments, "Hello?", env=env)


def configure(own: Finclaw, text: str) -> None:
    (own.home / "config.toml").write_text(text)


def authorizations(server: VectorServer) -> list[str | None]:
    return [seen.headers.get("authorization") for seen in server.requests]


class TestAddress:
    @pytest.mark.parametrize("name", ["openai", "openai-chat", "openai-responses"])
    @pytest.mark.parametrize("transport", ["direct", "sdk"])
    def test_the_variable_for_openais_address_counts_for_each_of_its_dialects(
        self, finclaw: Finclaw, name: str, transport: str
    ) -> None:
        dialect: Dialect = Responses() if name == "openai-responses" else Chat()
        with threaded(dialect.text("from the gateway")) as gateway:
            env = {"OPENAI_BASE_URL": f"{gateway.url}/v1", "FINCLAW_TRANSPORT": transport, **KEYS}
            ran = ask(finclaw, "-m", f"{name}:x", env=env)
            assert authorizations(gateway) == [f"Bearer {KEYS['OPENAI_API_KEY']}"]
        assert (ran.result["text"], ran.code) == ("from the gateway", 0)

    @pytest.mark.parametrize("given", ["", "  "])
    def test_an_empty_address_is_refused(self, finclaw: Finclaw, given: str) -> None:
        ran = ask(finclaw, "-m", "openai:x", "--base-url", given, env=KEYS)
        assert (ran.code, ran.result["turns"]) == (2, 0)
        assert "--base-url" in ran.result["error"]["message"]

    @pytest.mark.parametrize(
        "variable", ["FINCLAW_BASE_URL", "OPENAI_BASE_URL", "FINCLAW_MODEL", "FINCLAW_SUMMARY_MODEL"]
    )
    def test_a_variable_for_an_address_or_a_model_that_is_empty_is_refused(
        self, finclaw: Finclaw, variable: str
    ) -> None:
        arguments = () if variable == "FINCLAW_MODEL" else ("-m", "openai:x")
        ran = ask(finclaw, *arguments, env={**KEYS, variable: ""})
        assert (ran.code, ran.result["turns"]) == (2, 0)
        assert variable in ran.result["error"]["message"]

    def test_an_empty_address_in_the_settings_is_refused(self, own: Finclaw) -> None:
        configure(own, '[providers.openai]\nbase_url = ""\n')
        ran = ask(own, "-m", "openai:x", env=KEYS)
        assert (ran.code, ran.result["turns"]) == (2, 0)


class TestFallback:
    @pytest.mark.parametrize("first", ["openai-chat:first", "first"])
    @pytest.mark.parametrize("other", ["other", "gpt-5.5", "claude-other"])
    def test_a_bare_name_is_a_model_of_the_given_server(self, finclaw: Finclaw, first: str, other: str) -> None:
        with threaded(SICK, Chat().text("the other")) as server:
            ran = ask(finclaw, "-m", first, "--base-url", f"{server.url}/v1", "--fallback", other, env=KEYS)
            assert [body["model"] for body in server.bodies] == ["first", other]
        assert (ran.result["text"], ran.code) == ("the other", 0)

    @pytest.mark.parametrize("option", ["--fallback", "--summary-model"])
    def test_an_unknown_provider_is_refused_before_anything_is_sent(self, finclaw: Finclaw, option: str) -> None:
        with threaded(Chat().text("no")) as server:
            ran = ask(finclaw, "-m", "openai-chat:x", "--base-url", server.url, option, "nosuch:x", env=KEYS)
            assert server.requests == []
        assert (ran.code, ran.result["error"]["code"]) == (2, "unknown_model")

    @pytest.mark.parametrize("option", ["--fallback", "--summary-model"])
    def test_the_key_of_another_model_is_looked_for_before_anything_is_sent(
        self, finclaw: Finclaw, option: str
    ) -> None:
        with threaded(Chat().text("no")) as server:
            ran = ask(finclaw, "-m", "openai-chat:x", "--base-url", server.url, option, "anthropic:claude-x")
            assert server.requests == []
        assert (ran.code, "ANTHROPIC_API_KEY" in ran.result["error"]["message"]) == (3, True)

    def test_a_model_chosen_at_the_prompt_does_not_take_its_key_to_the_given_server(self, finclaw: Finclaw) -> None:
        with threaded(Chat().text("local")) as local, threaded(Anthropic().text("vendor")) as vendor:
            env = {**KEYS, "ANTHROPIC_BASE_URL": vendor.url}
            with talking(finclaw, "-m", "openai-chat:x", "--base-url", f"{local.url}/v1", **env) as it:
                it.ask(b"/model anthropic:claude-x", b"model: anthropic:claude-x")
                it.see(PROMPT)
                it.type(b"Hello?\r")
                it.leave()
            assert (len(local.requests), len(vendor.requests)) == (0, 1)


class TestKey:
    @pytest.mark.parametrize("transport", ["direct", "sdk"])
    def test_anthropics_token_is_sent_to_the_given_address(self, finclaw: Finclaw, transport: str) -> None:
        with threaded(Anthropic().text("hello")) as gateway:
            env = {
                "ANTHROPIC_BASE_URL": gateway.url,
                "ANTHROPIC_AUTH_TOKEN": "tok-0123456789",
                "FINCLAW_TRANSPORT": transport,
            }
            ran = ask(finclaw, "-m", "anthropic:claude-x", env=env)
            assert authorizations(gateway) == ["Bearer tok-0123456789"]
        assert ran.code == 0

    @pytest.mark.parametrize("name", ["openai", "openai-chat", "anthropic"])
    def test_the_variable_of_the_settings_is_named_where_it_is_not_set(self, own: Finclaw, name: str) -> None:
        with threaded(Chat().text("no")) as server:
            configure(own, f'[providers.{name}]\nbase_url = "{server.url}"\nkey_variable = "MY_GATEWAY_KEY"\n')
            ran = ask(own, "-m", f"{name}:x", env={**KEYS, "ANTHROPIC_AUTH_TOKEN": "tok-0123456789"})
            assert server.requests == []
        assert (ran.code, "MY_GATEWAY_KEY" in ran.result["error"]["message"]) == (3, True)

    def test_the_variable_of_the_settings_is_named_where_its_key_is_refused(self, own: Finclaw) -> None:
        with threaded(Chat().error(401, "invalid_api_key", "no")) as server:
            configure(own, f'[providers.openai]\nbase_url = "{server.url}"\nkey_variable = "MY_GATEWAY_KEY"\n')
            ran = ask(own, "-m", "openai:x", env={"MY_GATEWAY_KEY": "gk-0123456789"})
        hint = ran.result["error"]["hint"]
        assert (ran.code, "MY_GATEWAY_KEY" in hint, "OPENAI_API_KEY" in hint) == (3, True, False)

    def test_the_variable_of_the_settings_is_listed(self, own: Finclaw) -> None:
        configure(own, '[providers.openai]\nkey_variable = "MY_GATEWAY_KEY"\n')
        rows = json.loads(own("models", "list", "--json").stdout)
        assert {row["key"] for row in rows if row["provider"] == "openai"} == {"set MY_GATEWAY_KEY"}


def named(name: str, url: str, *more: str) -> str:
    lines = (f"[providers.{name}]", f'base_url = "{url}"', f'key_variable = "{name.upper()}_KEY"', *more)
    return "\n".join((*lines, ""))


class TestNamedServer:
    @pytest.mark.parametrize("api", DIALECTS)
    def test_it_is_asked_in_its_dialect_with_its_key_and_headers(self, own: Finclaw, api: str) -> None:
        dialect = DIALECTS[api]
        with threaded(dialect.calls(("c1", "price", {"symbol": "ACME"})), dialect.text("42.10")) as server:
            base = server.url if api == "anthropic" else f"{server.url}/v1"
            configure(own, named("groq", base, f'api = "{api}"', 'headers = { "X-Team" = "research" }'))
            ran = ask(own, "-m", "groq:llama:70b", env={**KEYS, "GROQ_KEY": "gsk-0123456789"})
            assert authorizations(server) == ["Bearer gsk-0123456789"] * 2
            assert {seen.headers["x-team"] for seen in server.requests} == {"research"}
            assert server.bodies[0]["model"] == "llama:70b"
        assert (ran.result["text"], ran.result["model"], ran.code) == ("42.10", "groq:llama:70b", 0)

    def test_several_stand_side_by_side_each_with_its_own_key(self, own: Finclaw) -> None:
        with threaded(SICK) as one, threaded(Chat().text("two")) as two:
            configure(own, named("one", f"{one.url}/v1") + named("two", f"{two.url}/v1"))
            env = {**KEYS, "ONE_KEY": "k-one-0123456789", "TWO_KEY": "k-two-0123456789"}
            ran = ask(own, "-m", "one:x", "--fallback", "two:y", env=env)
            assert authorizations(one) == ["Bearer k-one-0123456789"]
            assert authorizations(two) == ["Bearer k-two-0123456789"]
        assert (ran.result["text"], ran.result["model"], ran.code) == ("two", "two:y", 0)

    @pytest.mark.parametrize("api", DIALECTS)
    @pytest.mark.parametrize("transport", ["direct", "sdk"])
    def test_without_a_variable_no_other_servers_key_is_sent(self, own: Finclaw, api: str, transport: str) -> None:
        secret = "sk-elsewhere-0123456789"
        variables = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
        env = {
            **dict.fromkeys(variables, secret),
            "OPENAI_CUSTOM_HEADERS": f"X-Key: {secret}",
            "ANTHROPIC_CUSTOM_HEADERS": f"X-Key: {secret}",
            "FINCLAW_TRANSPORT": transport,
        }
        with threaded(DIALECTS[api].text("hello")) as server:
            configure(own, f'[providers.mine]\nbase_url = "{server.url}"\napi = "{api}"\n')
            ran = ask(own, "-m", "mine:x", env=env)
            assert secret not in json.dumps([seen.headers for seen in server.requests])
        assert ran.code == 0

    def test_its_address_cannot_be_replaced_by_an_option(self, own: Finclaw) -> None:
        with threaded(Chat().text("no")) as server:
            configure(own, named("groq", "http://127.0.0.1:9/v1"))
            ran = ask(own, "-m", "groq:x", "--base-url", server.url, env={"GROQ_KEY": "gsk-0123456789"})
            assert server.requests == []
        assert (ran.code, "groq" in ran.result["error"]["message"]) == (2, True)

    def test_without_its_key_nothing_is_sent(self, own: Finclaw) -> None:
        with threaded(Chat().text("no")) as server:
            configure(own, named("groq", server.url))
            ran = ask(own, "-m", "groq:x", env=KEYS)
            assert server.requests == []
        assert (ran.code, "GROQ_KEY" in ran.result["error"]["message"]) == (3, True)

    @pytest.mark.parametrize("api", DIALECTS)
    def test_its_failures_name_it(self, own: Finclaw, api: str) -> None:
        dialect = DIALECTS[api]
        whole = dialect.text("half an answer")
        broken = replace(whole, cut_at=len(whole.body) // 2)
        for reply in (dialect.error(500, "api_error", "down"), broken):
            with threaded(reply) as server:
                configure(own, named("groq", server.url, f'api = "{api}"'))
                ran = ask(own, "-m", "groq:x", env={"GROQ_KEY": "gsk-0123456789"})
            assert (ran.result["error"]["provider"], ran.code) == ("groq", 4)
            assert ran.result["error"]["message"].startswith("groq: ")

    @pytest.mark.parametrize("transport", ["direct", "sdk"])
    def test_a_header_of_the_settings_replaces_the_key(self, own: Finclaw, transport: str) -> None:
        with threaded(Chat().text("hello")) as server:
            headers = 'headers = { authorization = "Basic x" }'
            configure(own, f'[providers.openai]\nbase_url = "{server.url}"\n{headers}\n')
            ran = ask(own, "-m", "openai:x", env={**KEYS, "FINCLAW_TRANSPORT": transport})
            assert authorizations(server) == ["Basic x"]
        assert ran.code == 0

    def test_its_headers_take_the_place_of_ours(self, own: Finclaw) -> None:
        with threaded(Chat().text("hello")) as server:
            configure(own, f'[providers.mine]\nbase_url = "{server.url}"\nheaders = {{ authorization = "Basic x" }}\n')
            ran = ask(own, "-m", "mine:x")
            assert authorizations(server) == ["Basic x"]
        assert ran.code == 0

    @pytest.mark.parametrize("api", DIALECTS)
    def test_a_header_may_stand_for_the_key(self, own: Finclaw, api: str) -> None:
        with threaded(DIALECTS[api].text("hello")) as server:
            table = f'[providers.mine]\nbase_url = "{server.url}"\napi = "{api}"\nheaders = {{ "api-key" = "k-1" }}\n'
            configure(own, table)
            ran = ask(own, "-m", "mine:x")
            assert (authorizations(server), server.requests[0].headers["api-key"]) == ([None], "k-1")
        assert ran.code == 0

    @pytest.mark.parametrize("header", ["Host", "content-length", "Transfer-Encoding", "X Y", "X-A\\r\\nX-B", ""])
    def test_headers_that_would_change_the_request_are_refused(self, own: Finclaw, header: str) -> None:
        configure(own, f'[providers.mine]\nbase_url = "http://127.0.0.1:9"\nheaders = {{ "{header}" = "x" }}\n')
        assert ask(own, "-m", "mine:x").code == 2

    @pytest.mark.parametrize("transport", ["direct", "sdk"])
    @pytest.mark.parametrize("dialect", [Chat(), Anthropic()], ids=["openai-chat", "anthropic"])
    def test_headers_go_to_providers_of_finclaws_own_too(self, own: Finclaw, dialect: Dialect, transport: str) -> None:
        provider = dialect.model.partition(":")[0]
        with threaded(dialect.text("hello")) as server:
            configure(
                own, f'[providers.{provider}]\nbase_url = "{server.url}"\nheaders = {{ "X-Team" = "research" }}\n'
            )
            ran = ask(own, "-m", dialect.model, env={**KEYS, "FINCLAW_TRANSPORT": transport})
            assert [seen.headers.get("x-team") for seen in server.requests] == ["research"]
        assert ran.code == 0

    def test_it_writes_summaries(self, own: Finclaw) -> None:
        configure(own, named("cheap", "http://127.0.0.1:9/v1"))
        ran = ask(own, "-m", own.script({"text": "x"}), "--summary-model", "cheap:small")
        assert (ran.code, "CHEAP_KEY" in ran.result["error"]["message"]) == (3, True)

    def test_what_it_costs_is_known_by_its_name(self, own: Finclaw) -> None:
        with threaded(Chat().text("hello")) as server:
            prices = '[models."mine:small"]\ninput_usd = 1\noutput_usd = 2\n'
            configure(own, named("mine", f"{server.url}/v1") + prices)
            ran = ask(own, "-m", "mine:small", env={"MINE_KEY": "mk-0123456789"})
        assert ran.result["cost_usd"] == "0.000024"
        rows = json.loads(own("cost", "--by", "provider,model", "--format", "json").stdout)["rows"]
        assert [(row["provider"], row["model"]) for row in rows] == [("mine", "small")]
        estimate = json.loads(own("cost", "estimate", "Hello?", "-m", "mine:small", "--json").stdout)
        assert estimate["model"] == "mine:small"

    def test_it_is_listed_and_completed(self, own: Finclaw) -> None:
        more = '[models."groq:llama-70b"]\nwindow = 32768\n[aliases]\ngrand = "groq:llama-70b"\n'
        configure(own, named("groq", "https://api.groq.example/v1") + more)
        rows = {row["model"]: row for row in json.loads(own("models", "list", "--json").stdout)}
        assert (rows["groq:llama-70b"]["window"], rows["groq:llama-70b"]["key"]) == (32768, "set GROQ_KEY")
        assert (rows["groq:"]["provider"], rows["groq:"]["key"]) == ("groq", "set GROQ_KEY")
        assert "https://api.groq.example/v1" in rows["groq:"]["note"]
        words = {"_FINCLAW_COMPLETE": "complete_bash", "COMP_WORDS": "finclaw run -m gr", "COMP_CWORD": "3"}
        completed = own.cold(env=words).text.split()
        assert {"groq:", "groq:llama-70b", "grand"} <= set(completed)

    @pytest.mark.parametrize(
        "table",
        [
            "[providers.nosuch]\nkey_variable = 'X'\n",
            '[providers."a:b"]\nbase_url = "http://127.0.0.1:9"\n',
            '[providers.anthropic]\napi = "openai-chat"\n',
            '[providers.mine]\nbase_url = "http://127.0.0.1:9"\napi = "soap"\n',
        ],
    )
    def test_a_table_that_names_no_server_is_refused(self, own: Finclaw, table: str) -> None:
        configure(own, table)
        ran = ask(own, "-m", own.script({"text": "x"}), env={"FINCLAW_PLUGINS": ""})
        assert (ran.code, "providers" in ran.result["error"]["message"]) == (2, True)


def test_a_project_file_cannot_name_a_fallback_for_a_conversation_at_the_users_own_address(own: Finclaw):
    (own.cwd / ".finclaw.toml").write_text('fallback = ["anthropic:claude-test"]\n')
    ran = own("config", "show", "--json", env={"FINCLAW_BASE_URL": "http://127.0.0.1:9/v1"})
    assert json.loads(ran.text)["fallback"]["value"] == []
    assert "only you may name a fallback" in ran.stderr
    assert json.loads(own("config", "show", "--json").text)["fallback"]["value"] == ["anthropic:claude-test"]
