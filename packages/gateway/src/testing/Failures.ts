/** Assertions about failures for conformance suites. */
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"

/** Runs an effect that must fail with the given tag, and returns the error. */
export const failsWith = <A, E extends { readonly _tag: string }, R, Tag extends E["_tag"]>(
  effect: Effect.Effect<A, E, R>,
  tag: Tag
): Effect.Effect<Extract<E, { readonly _tag: Tag }>, never, R> =>
  Effect.map(Effect.exit(effect), (exit) => {
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit.value
    assert.propertyVal(error, "_tag", tag)
    return error as Extract<E, { readonly _tag: Tag }>
  })

/** Runs an effect that must die: a defect, not an error for callers. */
export const dies = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), "expected a defect")
  })
