/** Only the latest of several tasks counts: each aborts the previous one. */
export class Latest {
  #controller: AbortController | undefined

  /** Aborts the previous task. A result counts only while the signal is not aborted. */
  next(): AbortSignal {
    this.abort()
    this.#controller = new AbortController()
    return this.#controller.signal
  }

  abort(): void {
    this.#controller?.abort()
  }
}
