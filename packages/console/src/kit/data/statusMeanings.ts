/** The meanings of the service's HTTP statuses. */
export const statusMeanings: Readonly<Record<string, string>> = {
  200: "Successful",
  201: "Successful",
  204: "Successful",
  400: "Malformed request",
  401: "Missing or invalid credentials",
  402: "Out of credits",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  410: "Version expired",
  413: "Body too large",
  415: "Body is not JSON",
  422: "Idempotency key reused",
  429: "Limit reached",
  500: "Internal error",
  503: "Service unavailable"
}
