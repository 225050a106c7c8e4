/**
 * Batches of changes, the same for the same seed, with their effects by a model of its own. Streams of one directory
 * have disjoint units, so that each knows the states of its units whatever the order in which batches are stored.
 */

import type { ChangeKind } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { attributeNames, type UnitAttributes } from "@postcode/core/UnitAttributes"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import type { DemoSample, Unit } from "../kit/DemoSample.ts"

/** A change, as requests have it. */
export interface WireChange {
  readonly change: ChangeKind
  readonly postcode: Postcode
  readonly lat?: number
  readonly lng?: number
  readonly active?: boolean
  readonly replaced_by?: Postcode
  readonly attributes?: { readonly [Name in keyof UnitAttributes]?: UnitAttributes[Name] | null }
}

/** A change with an effect, and the unit after it. */
export interface ChangeEffect {
  readonly kind: ChangeKind
  readonly unit: Unit
}

export interface Batch {
  readonly lane: number
  /** From 1. */
  readonly number: number
  readonly reference: string
  readonly changes: ReadonlyArray<WireChange>
  /** The changes with an effect, in order; undefined if one has a fault, so that the batch is refused. */
  readonly effects: ReadonlyArray<ChangeEffect> | undefined
}

/** The streams of a run. */
export const lanes = 4

/** @param large whether a batch of 1,000 or 10,000 comes now and then */
export const streamsOf = (sample: DemoSample, seed: number, large = true): ReadonlyArray<ChangeStream> =>
  Array.from({ length: lanes }, (_, lane) => new ChangeStream(sample, seed, lane, large))

export class ChangeStream {
  private readonly sample: DemoSample
  private readonly lane: number
  private readonly large: boolean
  private readonly name: string
  private readonly random: () => number
  /** All units of the stream that exist. */
  private readonly present: Array<Postcode>
  private readonly free: ReadonlyArray<Postcode>
  private nextFree = 0
  /** The units that differ from the edition, or did. */
  private readonly states = new Map<Postcode, Unit>()
  /** Changed lately. */
  private readonly recent: Array<Postcode> = []
  private number = 0

  constructor(sample: DemoSample, seed: number, lane: number, large: boolean) {
    const ofLane = (postcodes: ReadonlyArray<Postcode>) => postcodes.filter((_, at) => at % lanes === lane)
    this.sample = sample
    this.lane = lane
    this.large = large
    this.name = `living-${seed}-${lane}`
    this.random = randomNumbers(1_000 * seed + lane)
    this.present = ofLane(sample.places.map(({ postcode }) => postcode))
    this.free = ofLane(sample.free)
  }

  /** The changed units in their present states. */
  get changed(): ReadonlyMap<Postcode, Unit> {
    return this.states
  }

  next(): Batch {
    const number = ++this.number
    const size = this.sizeOf(number)
    const faultAt = this.random() < faultyShare ? Math.floor(this.random() * size) : -1
    const draft = new Draft((postcode) => this.states.get(postcode) ?? this.sample.unit(postcode))
    const changes: Array<WireChange> = []
    const added: Array<Postcode> = []
    for (let at = 0; at < size; at++) {
      const fresh = this.free[this.nextFree + added.length]
      const change = at === faultAt && fresh !== undefined ? this.moveTo(fresh, 0, 0) : this.draw(draft, fresh)
      if (change.postcode === fresh && at !== faultAt) added.push(fresh)
      changes.push(change)
      draft.apply(change)
    }
    const effects = draft.hasFault ? undefined : draft.effects
    if (effects !== undefined) this.take(effects, added)
    return { lane: this.lane, number, reference: `${this.name}-${number}`, changes, effects }
  }

  private take(effects: ReadonlyArray<ChangeEffect>, added: ReadonlyArray<Postcode>): void {
    this.nextFree += added.length
    this.present.push(...added)
    for (const { unit } of effects) this.states.set(unit.postcode, unit)
    for (const { unit } of effects.slice(-maxRecent)) this.recent.push(unit.postcode)
    if (this.recent.length > maxRecent) this.recent.splice(0, this.recent.length - maxRecent)
  }

  private sizeOf(number: number): number {
    if (this.large && this.lane === 0 && number % 1_000 === 60) return 10_000
    if (this.large && this.lane === 0 && number % 100 === 20) return 1_000
    const range = this.random()
    return 1 + Math.floor(this.random() * (range < 0.5 ? 5 : range < 0.9 ? 50 : 100))
  }

  private draw(draft: Draft, fresh: Postcode | undefined): WireChange {
    const kind = this.random()
    if (kind < 0.15 && fresh !== undefined) return this.add(draft, fresh)
    const postcode = this.known()
    const unit = draft.unit(postcode) as Unit
    if (kind < 0.18) return this.addAgain(unit)
    if (kind < 0.4) return this.moveTo(postcode, unit.lat_e7 + this.step(), unit.lon_e7 + this.step())
    if (kind < 0.55) return { change: "retire", postcode, ...(this.random() < 0.3 && this.successorOf(postcode)) }
    if (kind < 0.65) return { change: "replace", postcode, ...this.successorOf(postcode) }
    if (kind < 0.82) return { change: "reactivate", postcode }
    return { change: "set", postcode, attributes: this.newAttributes() }
  }

  private add(draft: Draft, postcode: Postcode): WireChange {
    const near = draft.unit(this.known()) as Unit
    const { lat, lng } = this.moveTo(postcode, near.lat_e7 + this.step(), near.lon_e7 + this.step())
    const isRetired = this.random() < 0.1
    return {
      ...{ change: "add", postcode, lat: lat as number, lng: lng as number },
      ...(isRetired && { active: false, ...this.successorOf(postcode) }),
      attributes: { ...this.someAttributes(), locality_name: "Newtown", recent_address: this.address() }
    }
  }

  /** Has no effect. */
  private addAgain({ active, lat_e7, lon_e7, postcode, replaced_by }: Unit): WireChange {
    const place = { change: "add", postcode, lat: lat_e7 / 1e7, lng: lon_e7 / 1e7, active } as const
    return replaced_by === undefined ? place : { ...place, replaced_by }
  }

  private moveTo(postcode: Postcode, lat_e7: number, lon_e7: number): WireChange {
    return { change: "move", postcode, lat: lat_e7 / 1e7, lng: lon_e7 / 1e7 }
  }

  private successorOf(postcode: Postcode): { readonly replaced_by: Postcode } {
    for (;;) {
      const replaced_by = this.known()
      if (replaced_by !== postcode) return { replaced_by }
    }
  }

  private someAttributes(): UnitAttributes {
    const draw = this.random()
    if (draw < 0.3) return { recent_address: this.address() }
    if (draw < 0.6) return { building_use_status: this.random() < 0.5 ? "residential" : "commercial" }
    if (draw < 0.8) return { building_type: "bungalow", building_owner: this.random() < 0.5 ? "private" : "public" }
    return { delivery_point: this.random() < 0.5 }
  }

  private newAttributes(): NonNullable<WireChange["attributes"]> {
    return this.random() < 0.15 ? { recent_address: null, building_owner: null } : this.someAttributes()
  }

  /** In a street that hardly any other unit has. */
  private address(): string {
    const [first = "", ...rest] = Array.from(
      { length: 5 },
      () => syllables[Math.floor(this.random() * syllables.length)]
    )
    return `${1 + Math.floor(98 * this.random())} ${first.charAt(0).toUpperCase()}${first.slice(1)}${rest.join("")} Close`
  }

  /** A unit of the stream: any, or one that changed lately. */
  private known(): Postcode {
    const from = this.random() < 0.7 || this.recent.length === 0 ? this.present : this.recent
    return from[Math.floor(this.random() * from.length)] as Postcode
  }

  /** Up to 100 m. */
  private step(): number {
    return Math.floor((2 * this.random() - 1) * 9_000)
  }
}

const faultyShare = 0.02
const maxRecent = 200

const syllables = ["ba", "do", "fe", "gu", "ka", "lo", "mi", "nu", "pa", "ro", "su", "ti", "wa", "yo", "ze"] as const

/** The states of units within a batch. */
class Draft {
  readonly effects: Array<ChangeEffect> = []
  hasFault = false
  private readonly before: (postcode: Postcode) => Unit | undefined
  private readonly states = new Map<Postcode, Unit>()

  constructor(before: (postcode: Postcode) => Unit | undefined) {
    this.before = before
  }

  unit(postcode: Postcode): Unit | undefined {
    return this.states.get(postcode) ?? this.before(postcode)
  }

  apply(change: WireChange): void {
    const before = this.unit(change.postcode)
    const after = before === undefined ? added(change) : changed(before, change)
    if (after === undefined) this.hasFault = true
    else if (before === undefined || describeUnit(before) !== describeUnit(after)) {
      this.states.set(after.postcode, after)
      this.effects.push({ kind: change.change, unit: after })
    }
  }
}

const added = (change: WireChange): Unit | undefined =>
  change.change !== "add"
    ? undefined
    : {
        postcode: change.postcode,
        ...placeOf(change),
        active: change.active ?? true,
        replaced_by: change.replaced_by,
        attributes: known({}, change.attributes)
      }

const changed = (before: Unit, change: WireChange): Unit => {
  switch (change.change) {
    case "move":
      return { ...before, ...placeOf(change) }
    case "retire":
    case "replace":
      return { ...before, active: false, replaced_by: change.replaced_by ?? before.replaced_by }
    case "reactivate":
      return { ...before, active: true, replaced_by: undefined }
    case "set":
      return { ...before, attributes: known(before.attributes, change.attributes) }
    default:
      return before
  }
}

const placeOf = ({ lat = 0, lng = 0 }: WireChange) => ({ lat_e7: Math.round(lat * 1e7), lon_e7: Math.round(lng * 1e7) })

const known = (before: UnitAttributes, changes: WireChange["attributes"]): UnitAttributes =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

/** All of a unit as text: equal units have equal texts. */
export const describeUnit = ({ active, attributes, lat_e7, lon_e7, postcode, replaced_by }: Unit): string =>
  [
    postcode,
    active ? "active" : "retired",
    lat_e7,
    lon_e7,
    replaced_by ?? "-",
    ...attributeNames.map((name) => attributes[name] ?? "-")
  ].join("|")
