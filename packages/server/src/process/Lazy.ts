/** Each command loads its modules when it runs, so that `parse` does not wait for the whole service to load. */
import { Effect } from "effect"

/** Loads a module and runs an effect from it. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  run: (module: M) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Effect.promise(load), run)
