/** The process that searches. It answers each message by what it saw since the one before, and ends with its parent. */
import { Searches, type SearchOptions } from "./Searches.ts"

process.on("disconnect", () => process.exit())
const searches = new Searches(JSON.parse(process.argv[2] as string) as SearchOptions)
process.on("message", () => process.send?.(searches.take()))
await searches.run()
