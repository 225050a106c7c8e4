/** Sends events to webhooks when the directory changes. */

import { type DirectoryVersion, formatVersion } from "@postcode/core/Directory"
import { Cause, Clock, Effect, type Scope } from "effect"
import { type AnnouncedVersion, type Announcement, Webhooks } from "../../webhooks/Webhooks.ts"
import { DirectoryChanges } from "./DirectoryChanges.ts"

/**
 * Sends `directory.edition` when another edition is current, and `directory.changed` for the changes of the current one,
 * at most once a minute, while the scope is open. It looks every five seconds. Any number of processes may do so.
 */
export const announceDirectory: Effect.Effect<void, never, DirectoryChanges | Scope.Scope | Webhooks> = Effect.gen(
  function* () {
    const { latest } = yield* DirectoryChanges
    const webhooks = yield* Webhooks
    /** As far as this process knows, so that it asks for the lock only if there is something to announce. */
    let announced: string | undefined

    const look = Effect.gen(function* () {
      const version = yield* latest
      if (version === undefined || formatVersion(version) === announced) return
      let before: AnnouncedVersion | undefined
      const announcement = yield* webhooks.announceDirectory((last) => {
        before = last
        return Effect.map(Effect.all([latest, Clock.currentTimeMillis]), ([version, now_ms]) =>
          version === undefined ? undefined : nextAnnouncement(last, version, now_ms)
        )
      })
      const last = announcement?.version ?? before
      announced = last && formatVersion(last)
    })
    // An unavailable store is reported elsewhere. A defect must not stop the loop.
    const resilient = Effect.catchCause(look, (cause) =>
      Cause.hasDies(cause) ? Effect.logError("changes of the directory could not be announced", cause) : Effect.void
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(resilient, Effect.sleep(pause_ms))))
  }
)

const pause_ms = 5_000

/** The shortest time between two events about changes. */
const digest_ms = 60_000

/** The announcement of a version after the last one; undefined if it is the same, or not due yet. */
export const nextAnnouncement = (
  last: AnnouncedVersion | undefined,
  { changes, edition }: DirectoryVersion,
  now_ms: number
): Announcement | undefined => {
  const version = { edition, changes, at: new Date(now_ms).toISOString() }
  // What was current before there were webhooks is no news, and may change within the next minute.
  if (last === undefined) return { version: { ...version, at: new Date(0).toISOString() }, event: undefined }
  const text = formatVersion(version)
  if (edition !== last.edition || changes < last.changes) {
    return { version, event: { type: "directory.edition", data: { version: text } } }
  }
  if (changes === last.changes || now_ms < Date.parse(last.at) + digest_ms) return undefined
  return { version, event: { type: "directory.changed", data: { version: text, changes: changes - last.changes } } }
}
