/** Follows the changes of the directory through interruptions. */
import type { Answer } from "./Answer.ts"
import { sleep } from "./CallTimeout.ts"
import { makeId } from "./headers.ts"
import type { PostcodeClient } from "./PostcodeClient.ts"
import { isPostcodeError } from "./PostcodeError.ts"
import type { DataOf } from "./Route.ts"
import { canRetry, retryDelay_ms } from "./retries.ts"

const route = "GET /v1/directory/changes"
type Page = Answer<DataOf<typeof route>>

/** Maximum page size of the service. */
const limit = 1_000

export const followWith = (request: PostcodeClient["request"]): PostcodeClient["directory"]["follow"] =>
  async function* (since, { coordinates = false, pause_ms = 5_000, signal = new AbortController().signal } = {}) {
    /** Undefined if the signal was aborted. A page that is requested again is charged once. */
    const pageAfter = async (version: string): Promise<Page | undefined> => {
      const idempotencyKey = coordinates ? makeId() : undefined
      for (let attempts = 1; !signal.aborted; attempts++) {
        try {
          const query = { since: version, limit, coordinates }
          return await request(route, { query }, { signal, idempotencyKey, retries: 0 })
        } catch (error) {
          if (signal.aborted) break
          if (!isPostcodeError(error) || !(error.code === "timeout" || canRetry(error, true))) throw error
          await sleep(retryDelay_ms(attempts, error.retry_after_s), signal)
        }
      }
      return undefined
    }

    let isFirst = true
    for (let version = since; ; ) {
      const page = await pageAfter(version)
      if (page === undefined) return
      if (isFirst || page.data.changes.length > 0) yield page
      isFirst = false
      version = page.data.version
      if (version === page.data.latest) await sleep(pause_ms, signal)
    }
  }
