/** The description of each metric of the service, by its name: the text of its `# HELP` line. */
import { requestMetrics } from "@postcode/http"

export const metricDescriptions = {
  ...requestMetrics,
  postcode_ready: "1 while the service is ready, 0 while it starts or drains.",
  postcode_http_requests_in_flight:
    "Requests that wait for the database, a queue or their body. Other requests are answered at once and never in flight.",
  postcode_http_connections: "Open client connections, including idle ones.",
  postcode_http_connections_refused_total: "Connections closed at once because --max-connections were open.",
  postcode_queue_requests: "Requests of each queue: in flight, waiting, and the concurrency limit.",
  postcode_queue_overloaded: "Processes whose queue gets more requests than they can serve.",
  postcode_overload_refusals_total:
    "Requests refused with 503 because their deadline passed (late), or their queue was full (full).",
  postcode_database_connected:
    "1 while the process reaches the database, 0 while the database is unavailable. Absent without a database.",
  postcode_database_last_response_timestamp_seconds:
    "When the database last responded to the process, which queries it five times a second. Copies of keys are valid for 0.6 s from then.",
  postcode_database_connections_limit: "The maximum of database connections, of the pools of all processes together.",
  postcode_database_queries_in_flight:
    "Database queries in flight. Each takes one connection. Queries beyond the number of connections wait.",
  postcode_database_query_duration_seconds:
    "From a database query to its end, including the wait for a connection, by outcome.",
  postcode_charge_batch_size: "Charges, of any accounts, that were written as one batch.",
  postcode_webhook_attempts_total:
    "Attempts to deliver a webhook, by outcome: delivered, failed finally, or to be retried.",
  postcode_webhook_delay_seconds:
    "The longest delay of the webhooks that were due at the last check. The service checks every second.",
  postcode_mail_attempts_total:
    "Attempts to send a notice by mail, by outcome: sent, failed finally, to be retried, or skipped because it was out of date.",
  postcode_mail_delay_seconds: "The longest delay of the notices that were due at the last check, every second.",
  postcode_mail_limited_total: "Notices that were not stored, because their address or client had reached its limit.",
  postcode_mail_server_usable: "1 if the last check could connect and sign in to the mail server, otherwise 0.",
  postcode_reviews_waiting:
    "Verifications and requests for levels that wait for an operator, at the last check, every minute.",
  postcode_reviews_oldest_age_seconds: "How long the oldest of these reviews has waited; 0 without any.",
  postcode_backup_last_verified_timestamp_seconds:
    "When the last verified backup of the data folder began; 0 without any. Absent without a data folder.",
  postcode_backup_log_archived_timestamp_seconds:
    "Up to when the write-ahead log of the data folder is archived; 0 if it never was. Absent without a data folder.",
  postcode_log_lines_dropped_total: "Log lines dropped because no process read standard error.",
  postcode_directory_info: "The current directory: always 1, its version and date in the labels.",
  postcode_directory_units: "Units in the directory, by status.",
  postcode_directory_changes: "Changes applied to the current edition since it was built.",
  postcode_directory_current_since_timestamp_seconds: "When the directory became current. Known only with a database.",
  postcode_event_loop_delay_seconds: "The delay of a timer of the process that is due 50 times a second.",
  postcode_event_loop_last_tick_timestamp_seconds:
    "When that timer last ran. It does not advance while the process is stuck.",
  postcode_event_loop_seconds_total:
    "Time that the event loop of the process was active or idle. The rate of active is its utilization, 0 to 1.",
  postcode_gc_seconds_total: "Time for which garbage collection stopped a process, by kind.",
  postcode_gc_runs_total: "Garbage collections of all processes, by kind.",
  postcode_heap_bytes:
    "The JavaScript heap of the process: used, reserved, its limit, and external memory of its objects.",
  process_cpu_seconds_total: "Processor time of all processes.",
  process_resident_memory_bytes: "Resident memory of all processes.",
  process_start_time_seconds: "When the process started.",
  postcode_build_info: "The program: always 1, its versions in the labels."
}
