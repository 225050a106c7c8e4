/** The error of `Directory.open` for invalid bytes; the message says what is wrong. */
export class InvalidSnapshot extends Error {
  override readonly name = "InvalidSnapshot"
}
