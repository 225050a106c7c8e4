/** The process that posts changes. It ends with its parent. */
import { Poster, type PosterMessage, type PosterOptions, type PosterOrder } from "./Poster.ts"

const report = (message: PosterMessage): void => {
  process.send?.(message)
}
process.on("disconnect", () => process.exit())
const poster = new Poster(JSON.parse(process.argv[2] as string) as PosterOptions, report)
process.on("message", (order: PosterOrder) => poster.obey(order))
await poster.run()
