/** Progress of an import, by stage. */
import { indexingProgress } from "@postcode/server/directory/indexingProgress"
import { makeProgress, type Progress } from "@postcode/server/process/Progress"

/** The stages: reading, indexing, publishing. */
export class ImportProgress {
  private stage: Progress
  private share = 0

  constructor(folder: string) {
    this.stage = begin(`reading ${folder}`, "units")
  }

  /** The fraction of the file that has been read, from 0 to 1. */
  readShare(share: number): void {
    this.share = share
  }

  read(rows: number): void {
    this.stage.update(rows, this.share)
  }

  beginIndexing(rows: number): void {
    this.stage.finish(rows)
    this.stage = indexingProgress(rows, 0)
  }

  endIndexing(units: number): void {
    this.stage.finish(units)
    this.stage = begin("publishing", "bytes")
  }

  publish(done_bytes: number, total_bytes: number): void {
    this.stage.update(done_bytes, done_bytes / total_bytes)
    if (done_bytes === total_bytes) this.stage.finish(done_bytes)
  }

  say(text: string): void {
    this.stage.say(text)
  }

  clear(): void {
    this.stage.clear()
  }
}

const begin = (doing: string, what: string): Progress => makeProgress({ doing, what, quiet_ms: 0 })
