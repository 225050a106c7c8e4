/** Of several things asked one after the other, the last one counts: each aborts the one before. */
export class Latest {
  #controller: AbortController | undefined

  /** Aborts what was asked before. An answer counts only while the signal is not aborted. */
  next(): AbortSignal {
    this.abort()
    this.#controller = new AbortController()
    return this.#controller.signal
  }

  abort(): void {
    this.#controller?.abort()
  }
}
