/**
 * Pictures of every screen of the console, at 360 and 1,280 pixels, in light and dark, for people to look at:
 *
 *     node --conditions=@postcode/source packages/console/test/screenshots.ts FOLDER [PATTERN OF NAMES]
 */
import { takePictures } from "./ScreenPictures.ts"

const [, , folder, part = ""] = process.argv
if (folder === undefined) throw new Error("usage: screenshots.ts FOLDER [PATTERN OF NAMES]")
await takePictures({ folder, part: new RegExp(part), widths: [360, 1280], schemes: ["light", "dark"] })
