/** What each metric of the service is, by its name: the text of its `# HELP` line. */
import { requestMetrics } from "@postcode/http"

export const metricDescriptions = {
  ...requestMetrics,
  postcode_ready: "1 while the service is ready, 0 while it starts or drains.",
  postcode_http_requests_in_flight:
    "Requests that wait for something, such as the database. Most are answered at once and never in flight.",
  postcode_http_connections: "Connections of clients that are open, idle ones too.",
  postcode_http_connections_refused_total: "Connections that were closed at once, since --max-connections were open.",
  postcode_queue_requests: "Requests of each queue: in flight, waiting, and the concurrency limit.",
  postcode_queue_overloaded: "Threads whose queue gets more requests than they can serve.",
  postcode_overload_refusals_total:
    "Requests refused with 503 because their deadline passed (late), or their queue was full (full).",
  postcode_database_connected:
    "1 while the thread is in touch with the database, 0 while that is away. Absent without a database.",
  postcode_database_last_answer_timestamp_seconds:
    "When the thread last heard of the database, which it asks five times a second. Copies of keys count 0.6 s from then.",
  postcode_database_connections_limit: "Connections to the database that the pools of all threads have at most.",
  postcode_database_questions_in_flight:
    "Questions to the database under way. Each takes one connection; what is more than there are connections waits.",
  postcode_database_question_duration_seconds:
    "From a question to the database to its end, with the wait for a connection, by what came of it.",
  postcode_charge_batch_size: "Charges, of any accounts, that were written together.",
  postcode_webhook_attempts_total:
    "Attempts to deliver a webhook, by what came of them: delivered, failed for good, or to be repeated later.",
  postcode_webhook_lateness_seconds:
    "How late the latest of the webhooks was that were due at the last look, which is taken each second.",
  postcode_log_lines_dropped_total: "Lines of logs that were dropped since nobody read standard error.",
  postcode_directory_info: "The current directory: always 1, its version and date in the labels.",
  postcode_directory_units: "Units in the directory, by status.",
  postcode_directory_changes: "Changes applied to the current edition since it was built.",
  postcode_directory_in_force_timestamp_seconds: "When the directory became current.",
  postcode_event_loop_delay_seconds:
    "How much later than asked a timer of the thread ran that is due 50 times a second.",
  postcode_event_loop_last_turn_timestamp_seconds:
    "When that timer ran last. Of a thread that is stuck it stands still.",
  postcode_event_loop_seconds_total:
    "Time that the event loop of the thread was active, or idle. The rate of active is its utilization, 0 to 1.",
  postcode_gc_seconds_total: "Time that garbage collection stopped a thread for, by kind.",
  postcode_gc_runs_total: "Garbage collections of all threads, by kind.",
  postcode_heap_bytes:
    "The JavaScript heap of the thread: used, reserved, at most, and external memory that its objects hold.",
  process_cpu_seconds_total: "Processor time of all threads.",
  process_resident_memory_bytes: "Resident memory of the process.",
  process_start_time_seconds: "When the process started.",
  postcode_build_info: "The program: always 1, its versions in the labels."
}
