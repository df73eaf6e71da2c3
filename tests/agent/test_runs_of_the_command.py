"""Tests of runs by the command line, with an agent in its place (see `by_agent`).

Left out are those of what an agent has not (text output, stdin, notices) and of errors before a run, which it raises.
"""

# ruff: noqa: F401
from tests.e2e.test_budgets import (
    priced,
    test_a_budget_counts_what_other_runs_have_spent,
    test_a_budget_counts_what_transcripts_tell_of_where_the_ledger_is_gone,
    test_a_checkout_cannot_lift_a_budget,
    test_a_damaged_ledger_lets_nobody_spend_what_a_budget_holds,
    test_a_question_that_no_tokenizer_has_words_for_is_not_taken_to_be_short,
    test_a_request_that_is_not_made_is_told,
    test_a_run_whose_first_request_could_break_its_limit_asks_nobody,
    test_a_script_is_played_with_no_money_at_all,
    test_a_server_that_ignores_the_limit_of_its_answer_is_told,
    test_an_answer_may_be_no_longer_than_there_is_money_for,
    test_an_answer_that_is_cut_off_for_another_reason_keeps_its_exit_code,
    test_an_answer_that_is_made_shorter_for_want_of_money_is_told,
    test_an_answer_that_was_cut_off_where_the_money_ended_says_so,
    test_enough_money_leaves_the_request_as_it_would_be,
    test_it_is_told_once_when_four_fifths_of_a_budget_are_spent,
    test_runs_at_once_wait_for_each_other_and_spend_what_a_budget_leaves_and_no_more,
    test_the_first_line_says_the_limit,
    test_the_transcript_of_a_run_that_ran_out_of_money_is_whole_and_goes_on,
    test_what_is_no_amount_is_refused,
)
from tests.e2e.test_number_sources import (
    test_it_is_paid_for,
    test_where_the_server_refuses_it_the_run_goes_on,
    test_where_there_is_no_money_for_it_the_figures_have_no_source_and_the_run_goes_on,
)
from tests.e2e.test_paid_answers import (
    TestBrokenEnd,
    TestFailedTurn,
    TestPause,
    TestThinkTags,
    TestWindowExceeded,
)
from tests.e2e.test_resume import (
    test_a_call_that_can_be_repeated_runs_again_and_the_question_is_answered,
    test_a_call_that_had_not_begun_is_judged_and_asked_about,
    test_a_name_with_a_dot_is_a_name_like_any_other,
    test_a_payment_that_was_interrupted_is_unknown_in_its_own_run_too,
    test_a_person_may_have_it_run_again_and_is_asked_for_approval,
    test_a_run_that_was_killed_before_anything_was_said_asks_the_model,
    test_an_answer_that_was_kept_before_the_run_was_killed_is_given,
    test_call_ids_that_a_server_uses_again_become_new_ones,
    test_on_a_terminal_a_person_says_what_became_of_it,
    test_the_session_written_last_is_taken_up_where_none_is_named,
    test_what_was_paid_and_not_seen_to_end_is_never_paid_again,
    test_where_the_record_that_a_payment_began_is_damaged_it_is_not_made_again,
)
from tests.e2e.test_run import (
    test_a_result_of_exactly_the_limit_stays_whole_and_one_more_is_cut,
    test_a_retry_makes_the_deltas_before_it_void,
    test_a_stalled_stream_is_a_provider_error_after_retries,
    test_a_transactional_tool_is_not_run_and_the_exit_code_says_so,
    test_an_answer_that_does_not_fit_is_asked_for_once_more,
    test_an_answer_that_fits_the_schema_is_given_parsed,
    test_an_answer_that_never_fits_is_an_error,
    test_each_way_a_tool_can_fail_is_told_to_the_model_and_spoils_nothing,
    test_every_event_and_message_of_a_run_is_kept_in_a_private_file,
    test_invalid_json_from_the_model_runs_nothing,
    test_ndjson_starts_with_start_and_ends_with_the_result,
    test_parallel_calls_are_answered_in_the_order_of_the_calls,
    test_stdin_and_files_are_put_after_the_argument,
    test_strange_text_and_numbers_come_out_as_valid_lines,
    test_the_limit_of_tool_calls_refuses_the_calls_above_it,
    test_the_next_model_takes_over_when_retries_are_used_up,
    test_the_time_limit_ends_a_run_whose_tool_hangs,
    test_the_turn_limit_ends_the_run_with_its_own_code,
)
from tests.e2e.test_sessions import (
    test_a_call_that_was_cut_off_is_answered_before_the_conversation_goes_on,
    test_a_payment_that_nobody_saw_end_is_told_once_and_never_made_again,
    test_readers_work_while_a_session_is_written,
)
from tests.e2e.test_temperature import (
    test_a_model_that_takes_over_is_told_of_too,
    test_a_server_that_refuses_it_is_asked_without,
    test_anthropic_takes_none_which_is_said_once_for_all_turns,
    test_nothing_is_said_where_none_is_wanted_or_it_is_taken,
    test_the_run_can_be_verified,
)
from tests.e2e.test_verify_numbers import (
    test_a_figure_that_rules_do_not_find_is_derived_by_the_model_in_one_more_request,
    test_a_number_without_a_source_fails_the_run_where_it_must_not_be,
    test_a_run_that_was_verified_is_replayed_and_verified_again,
    test_by_rules_alone_no_request_is_made,
    test_calls_beside_a_derivation_are_not_run,
    test_each_figure_is_told_with_its_source,
    test_the_request_is_replayed_and_verified,
    test_without_a_derivation_of_its_value_it_has_no_source,
    test_without_it_nothing_is_looked_at,
)
