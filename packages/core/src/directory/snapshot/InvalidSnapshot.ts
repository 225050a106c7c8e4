/** What `Directory.open` throws, whatever is wrong with the bytes: the message says what. */
export class InvalidSnapshot extends Error {
  override readonly name = "InvalidSnapshot"
}
