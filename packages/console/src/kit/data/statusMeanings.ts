/** The meanings of the service's HTTP statuses. */
export const statusMeanings: Readonly<Record<string, string>> = {
  200: "Answered",
  201: "Answered",
  204: "Answered",
  400: "Malformed request",
  401: "No credential that counts",
  402: "Out of credits",
  403: "Not allowed",
  404: "Not there",
  405: "Wrong method",
  409: "Contradiction",
  410: "Version expired",
  413: "Body too large",
  415: "Body is no JSON",
  422: "Idempotency key reused",
  429: "Over a limit",
  500: "The service failed",
  503: "The service was busy"
}
