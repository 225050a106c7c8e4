/** The message of an error's cause, or else of the error, for logs. */
export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
