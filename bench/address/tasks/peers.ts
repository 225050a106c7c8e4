/** The same texts for the peers: the right unit first, units found for made-up places, and CPU time in interleaved rounds. */
import { findPostgres, startPostgres } from "@postcode/drills/postgres"
import { compared, type Figure } from "../../Bench.ts"
import { median } from "../../measure.ts"
import { type EverydayText, everydayTexts } from "../everyday/gradeEveryday.ts"
import { flexSearchPeer } from "../peers/flexSearchPeer.ts"
import { miniSearchPeer } from "../peers/miniSearchPeer.ts"
import { ownCpuTime_ns, type Peer } from "../peers/Peer.ts"
import { peliasPeer } from "../peers/peliasPeer.ts"
import { postgresPeers } from "../peers/postgresPeers.ts"
import { answerTo } from "../quality/search.ts"
import { makeTexts } from "../texts/makeTexts.ts"
import type { Addresses } from "../texts/readFolder.ts"
import { readSource, type Source } from "../texts/Source.ts"
import { onlyUnit, type TestText } from "../texts/TestText.ts"

export interface PeersParameter {
  readonly source: Source
  readonly of: string
  readonly half: "even" | "odd"
  /** Texts of each set; the peers take up to a second for one. */
  readonly count: number
  readonly rounds: number
  /** The folder for the database. */
  readonly folder: string
  /** The folder with the parser of Pelias; undefined without it. */
  readonly peliasFolder: string | undefined
  /** The folders of PostgreSQL's programs; the usual ones if undefined. */
  readonly programFolders: ReadonlyArray<string> | undefined
}

type Progress = (message: string) => void

/** MiniSearch and FlexSearch, and the parser of Pelias if there is one. */
export const peersInMemory = async (parameter: PeersParameter, progress: Progress): Promise<ReadonlyArray<Figure>> => {
  const { addresses, documents, everyday, texts } = await read(parameter)
  const figures: Array<Figure> = []
  const { peliasFolder } = parameter
  const pelias = (all: ReadonlyArray<string>): Peer => peliasPeer(all, peliasFolder as string)
  for (const make of [miniSearchPeer, flexSearchPeer, ...(peliasFolder === undefined ? [] : [pelias])]) {
    const peer = make(documents)
    progress(`${parameter.of}: ${peer.name}`)
    figures.push(...(await besidePeer(peer, addresses, { texts, everyday }, parameter)))
  }
  return figures
}

/** PostgreSQL with `pg_trgm`, and with full text. */
export const peersInPostgres = async (
  parameter: PeersParameter,
  progress: Progress
): Promise<ReadonlyArray<Figure>> => {
  const programs = findPostgres(parameter.programFolders)
  if (programs === undefined) {
    progress("PostgreSQL is missing: there is no server here. On Debian: apt install postgresql")
    return []
  }
  const { addresses, documents, everyday, texts } = await read(parameter)
  const settings = { fsync: "off", jit: "off", shared_buffers: "512MB", maintenance_work_mem: "512MB" }
  const server = await startPostgres({ programs, folder: parameter.folder, settings })
  try {
    progress(`${parameter.of}: loading PostgreSQL`)
    const figures: Array<Figure> = []
    for (const peer of await postgresPeers(await server.connect(), documents, parameter.folder)) {
      progress(`${parameter.of}: ${peer.name}`)
      figures.push(...(await besidePeer(peer, addresses, { texts, everyday }, parameter)))
    }
    return figures
  } finally {
    await server.stop()
  }
}

const read = async ({ count, half, source }: PeersParameter) => {
  const addresses = await readSource(source)
  const texts = makeTexts(addresses.rows, { count, half, seed: 2 })
  // Each form of a few addresses, and then some of all.
  const all = everydayTexts(addresses.directory, addresses.rows, Math.max(1, Math.floor(count / 20)))
  const step = Math.max(1, Math.floor(all.length / count))
  const everyday = all.filter((_, index) => index % step === 0)
  return { addresses, texts, everyday, documents: addresses.rows.map(({ text }) => text) }
}

const besidePeer = async (
  peer: Peer,
  { directory, rows }: Addresses,
  { everyday, texts }: { readonly texts: ReadonlyArray<TestText>; readonly everyday: ReadonlyArray<EverydayText> },
  { of, rounds }: PeersParameter
): Promise<ReadonlyArray<Figure>> => {
  const theirs: Array<string | undefined> = []
  for (const { text } of texts) {
    const row = await peer.first(text)
    theirs.push(row === undefined ? undefined : rows[row]?.postcode)
  }
  const ours = texts.map(({ text }) => answerTo(directory, text))
  const named = [...texts.entries()].filter(([, { meaning }]) => onlyUnit(meaning) !== undefined)
  const first = (set: string) => {
    const some = named.filter(([, text]) => text.set === set)
    const right = (code: (index: number) => string | undefined) =>
      (100 * some.filter(([index, { meaning }]) => code(index) === onlyUnit(meaning)).length) / some.length
    return { value: right((index) => ours[index]?.first), peer_value: right((index) => theirs[index]) }
  }
  const kept = { ours: 0, theirs: 0 }
  for (const { postcode, text } of everyday) {
    const row = await peer.first(text)
    if (row !== undefined && rows[row]?.postcode === postcode) kept.theirs++
    if (answerTo(directory, text).first === postcode) kept.ours++
  }
  const madeUp = [...texts.entries()].filter(([, { meaning }]) => meaning.isUnlisted)
  const found = (isFound: (index: number) => boolean) =>
    (100 * madeUp.filter(([index]) => isFound(index)).length) / madeUp.length
  const [value, peer_value] = await cpuTimes_us(peer, directory, texts, rounds)
  const common = { bench: "address", peer: peer.name }
  return [
    compared("more", { ...common, figure: `${of}, plain texts: right unit first`, unit: "%", ...first("plain") }),
    compared("more", { ...common, figure: `${of}, hard texts: right unit first`, unit: "%", ...first("hard") }),
    compared("more", {
      ...common,
      figure: `${of}, hard texts of other kinds: right unit first`,
      unit: "%",
      ...first("other")
    }),
    compared("more", {
      ...common,
      figure: `${of}, everyday forms: right unit first`,
      unit: "%",
      value: (100 * kept.ours) / everyday.length,
      peer_value: (100 * kept.theirs) / everyday.length
    }),
    compared("less", {
      ...common,
      figure: `${of}: a unit found for what is not listed`,
      unit: "%",
      value: found((index) => ours[index]?.precision === "unit"),
      peer_value: found((index) => theirs[index] !== undefined)
    }),
    compared("less", { ...common, figure: `${of}: CPU time of a text, mean`, unit: "µs", value, peer_value })
  ]
}

/** Means of a text, medians of interleaved rounds: ours, then the peer's. Ours searches each text more often. */
const cpuTimes_us = async (
  peer: Peer,
  directory: Addresses["directory"],
  texts: ReadonlyArray<TestText>,
  rounds: number
): Promise<readonly [number, number]> => {
  const ours: Array<number> = []
  const theirs: Array<number> = []
  // Every tenth text, of all kinds.
  const some = texts.filter((_, index) => index % 10 === 0)
  for (let round = 0; round < rounds; round++) {
    const start = ownCpuTime_ns()
    for (let time = 0; time < repeats; time++) for (const { text } of some) answerTo(directory, text)
    ours.push((ownCpuTime_ns() - start) / repeats / some.length / 1000)
    const theirStart = peer.cpuTime_ns()
    for (const { text } of some) await peer.first(text)
    theirs.push((peer.cpuTime_ns() - theirStart) / some.length / 1000)
  }
  return [median(ours), median(theirs)]
}

const repeats = 20
