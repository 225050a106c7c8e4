/** The current directory in memory, the attributes of its units, and its changes. */

import { type DecidedChange, decideChanges, type UnitChange, type UnitState, unitStateIn } from "@postcode/core/Changes"
import type { DirectoryWarning, ReadingOptions } from "@postcode/core/Csv"
import type { Directory, DirectoryVersion } from "@postcode/core/Directory"
import {
  type AddressTask,
  ChangedAddresses,
  isOfAddress,
  LiveDirectory,
  type LiveDirectoryOptions,
  maxStep,
  partsOf,
  unitStatesOf
} from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Context, Effect, Exit, Layer, type Result, Semaphore } from "effect"
import { timestamp } from "../audit/audit.ts"
import type { InvalidParameter, VersionExpired } from "../Errors.ts"
import { CurrentDirectory } from "./CurrentDirectory.ts"
import { ChangeRecord } from "./changes/ChangeRecord.ts"
import {
  type ChangeBatch,
  type ChangePage,
  DirectoryChanges,
  keptSince,
  type UnitHistory
} from "./changes/DirectoryChanges.ts"
import { layerFixedChanges } from "./changes/layerFixedChanges.ts"
import { changePage } from "./changes/StoredChanges.ts"
import { DirectoryImports } from "./imports/DirectoryImports.ts"
import { layerNoImports } from "./imports/layerNoImports.ts"
import { memoryImports } from "./imports/MemoryImports.ts"
import { keepRefreshed } from "./refreshAddresses.ts"
import { Units } from "./Units.ts"

/** The attributes of a unit by its id in a directory. */
type AttributesOf = (id: number, postcode: Postcode) => UnitAttributes

/**
 * Functions that do the work for many changes, for example in another thread. By default, changes are not merged, and
 * addresses are indexed in this thread.
 */
export interface DirectoryLayerOptions
  extends Pick<LiveDirectoryOptions, "merge">,
    LookedAt,
    Pick<ReadingOptions, "locate"> {
  /** Indexes the addresses of changed units in another thread: `indexAddressesInWorker` of `@postcode/node`. */
  readonly indexAddresses?: (task: AddressTask) => Promise<Directory>
}

/** What is known of the files of a directory. */
export interface LookedAt {
  /** What a look at the directory found, for operators: `warningsOf` of core. Undefined if it was not looked at. */
  readonly warnings?: ReadonlyArray<DirectoryWarning> | undefined
}

/**
 * The ports of a directory in memory. Changes are current at once, and lost with the process. Address search finds changed
 * addresses within a minute. Failures of work in other threads are logged, and it is retried.
 *
 * ```ts
 * layerDirectory(built.directory, columns.attributesOf(built.rowOfUnit))
 * ```
 *
 * @param attributesOf the attributes of a unit by its id in this directory
 */
export const layerDirectory = (
  directory: Directory,
  attributesOf: AttributesOf,
  { indexAddresses, locate, warnings, ...options }: DirectoryLayerOptions = {}
): Layer.Layer<CurrentDirectory | Units | DirectoryChanges | DirectoryImports> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Effect.context<never>()
      const run = Effect.runForkWith(context)
      const onMergeFailed = (error: unknown) =>
        void run(Effect.logWarning("the changes of the directory could not be merged yet", error))
      const pause = () => Effect.runPromise(Effect.sleep(0))
      const open = (directory: Directory, attributesOf: AttributesOf) => {
        const live = new LiveDirectory(directory, { ...options, onMergeFailed, pause })
        return new MemoryDirectory(live, attributesOf, new ChangedAddresses(live, indexAddresses))
      }
      let memory = open(directory, attributesOf)
      let found = warnings
      yield* Effect.forkScoped(keepRefreshed(() => memory.addresses))
      const imports = memoryImports(
        {
          edition: () => memory.edition,
          changedUnits: () => memory.changedUnits(),
          replace: (edition, kept, actor) => {
            const next = open(edition.directory, edition.attributesOf)
            return Effect.map(keepChanges(next, kept, `kept from edition ${memory.edition.version}`, actor), () => {
              memory.addresses.close()
              memory = next
              found = edition.warnings
            })
          }
        },
        context,
        { locate }
      )
      return Context.make(CurrentDirectory, { get: () => memory.live.current, warnings: () => found }).pipe(
        Context.add(DirectoryImports, imports),
        Context.add(Units, {
          attributes: (postcodes, { changes } = memory.live.current) =>
            Exit.succeed(postcodes.map((postcode) => memory.attributesAt(postcode, changes)))
        }),
        Context.add(DirectoryChanges, {
          apply: (batch, dryRun, onApplied) => Effect.suspend(() => memory.apply(batch, dryRun, onApplied)),
          after: (since, limit) =>
            Effect.flatMap(keptSince, (keptSince) => Effect.fromResult(memory.after(since, limit, keptSince))),
          history: (postcode) => Effect.map(keptSince, (keptSince) => memory.history(postcode, keptSince)),
          latest: Effect.sync(() => memory.version)
        })
      )
    })
  )

/**
 * The same for a directory that cannot be changed.
 *
 * @param reason the message of each refusal
 */
export const layerFixedDirectory = (
  directory: Directory,
  attributesOf: AttributesOf,
  reason: string,
  { warnings }: LookedAt = {}
): Layer.Layer<CurrentDirectory | Units | DirectoryChanges | DirectoryImports> => {
  const attributes = givenAttributes(directory, attributesOf)
  return Layer.provideMerge(
    Layer.merge(layerFixedChanges(reason), layerNoImports(reason)),
    Layer.succeedContext(
      Context.make(CurrentDirectory, { get: () => directory, warnings: () => warnings }).pipe(
        Context.add(Units, { attributes: (postcodes) => Exit.succeed(postcodes.map(attributes)) })
      )
    )
  )
}

/** Ids belong to the given directory, of which only the codes are kept. */
const givenAttributes = (
  directory: Directory,
  attributesOf: AttributesOf
): ((postcode: Postcode) => UnitAttributes) => {
  const find = directory.finder()
  return (postcode) => {
    const id = find(postcode)
    return id < 0 ? nothingKnown : attributesOf(id, postcode)
  }
}

class MemoryDirectory {
  readonly live: LiveDirectory
  /** Without changes. */
  readonly edition: Directory
  readonly addresses: ChangedAddresses
  private readonly record: ChangeRecord
  private readonly givenAttributes: (postcode: Postcode) => UnitAttributes
  private readonly oneAtATime = Semaphore.makeUnsafe(1)

  constructor(live: LiveDirectory, attributesOf: AttributesOf, addresses: ChangedAddresses) {
    this.live = live
    this.edition = live.current
    this.record = new ChangeRecord(live.current)
    this.addresses = addresses
    this.givenAttributes = givenAttributes(live.current, attributesOf)
  }

  get version(): DirectoryVersion {
    const { changes, version: edition } = this.live.current
    return { edition, changes }
  }

  /** The attributes of a unit after the change with a number. */
  attributesAt(postcode: Postcode, changes: number): UnitAttributes {
    return this.record.attributesAt(postcode, changes) ?? this.givenAttributes(postcode)
  }

  /** One batch at a time, and to its end, because a large one is put on the directory in steps. */
  apply(batch: ChangeBatch, dryRun: boolean, onApplied?: OnApplied): ReturnType<DirectoryChanges["Service"]["apply"]> {
    const { addresses, live, record } = this
    const stateOf = (postcode: Postcode) => this.stateOf(postcode)
    const work = Effect.gen(function* () {
      const repeated = record.repeated(batch)
      if (repeated !== undefined) return repeated._tag === "Conflict" ? yield* repeated : repeated
      const decision = decideChanges(stateOf, batch.changes)
      if (!decision.ok) return { _tag: "Refused", faults: decision.faults } as const
      const { changes, removals, unchanged } = decision
      if (dryRun) return { ...record.outcomeOf(changes, unchanged), removals }
      if (removals > (batch.allowedRemovals ?? Number.POSITIVE_INFINITY))
        return { _tag: "TooManyRemovals", removals } as const
      if (changes.length > maxStep) yield* advanceInSteps(live, changes)
      else live.advance(changes)
      for (const { kind, unit } of changes) {
        const { locality_name = "", recent_address = "" } = unit.attributes
        if (isOfAddress(kind)) addresses.take(unit.postcode, locality_name, recent_address)
      }
      const outcome = record.add(batch, changes, unchanged)
      if (onApplied !== undefined) yield* onApplied(outcome)
      return outcome
    })
    return this.oneAtATime.withPermits(1)(Effect.uninterruptible(work))
  }

  after(
    since: DirectoryVersion,
    limit: number,
    keptSince: string
  ): Result.Result<ChangePage, VersionExpired | InvalidParameter> {
    return changePage(since, {
      latest: this.version,
      next: this.record.after(since.changes, limit),
      keptSince
    })
  }

  /** The units that were changed, in their edition and now. */
  changedUnits() {
    return this.record.postcodes().map((postcode) => ({
      before: unitStateIn(this.edition, postcode, this.givenAttributes(postcode)),
      // A unit that was changed is there: units are never removed.
      changed: this.stateOf(postcode) as UnitState
    }))
  }

  history(postcode: Postcode, keptSince: string): UnitHistory {
    return { unit: this.stateOf(postcode), events: this.record.eventsOf(postcode, keptSince) }
  }

  private stateOf(postcode: Postcode): UnitState | undefined {
    const { current } = this.live
    return unitStateIn(current, postcode, this.attributesAt(postcode, current.changes))
  }
}

/** Applies the changes to keep to another edition, before it is current. */
const keepChanges = (
  memory: MemoryDirectory,
  changes: ReadonlyArray<UnitChange>,
  reason: string,
  actor: string
): Effect.Effect<void> =>
  changes.length === 0
    ? Effect.void
    : Effect.flatMap(timestamp, (at) =>
        Effect.orDie(memory.apply({ changes, reason, reference: reason, actor, at }, false))
      )

type OnApplied = Parameters<DirectoryChanges["Service"]["apply"]>[2]

/** Other requests are answered between the steps, and see none of the changes. */
const advanceInSteps = Effect.fnUntraced(function* (live: LiveDirectory, changes: ReadonlyArray<DecidedChange>) {
  yield* Effect.yieldNow
  const states = unitStatesOf(changes.map(({ unit }) => unit))
  for (const part of partsOf(states, maxStep)) {
    yield* Effect.yieldNow
    live.stage(part)
  }
  yield* Effect.yieldNow
  live.show(live.current.changes + changes.length)
})

const nothingKnown: UnitAttributes = {}
