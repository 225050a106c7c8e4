/** Run in a worker thread: opens the image that it is given, and answers what it finds there. */
import { parentPort, workerData } from "node:worker_threads"
import { Directory } from "@postcode/core/Directory"
import { nearest } from "@postcode/core/ReverseGeocoder"

const { image, point } = workerData
const directory = Directory.open(image, { verify: false })
const hit = nearest(directory, point, 25)
parentPort?.postMessage({
  size: directory.size,
  shared: directory.contents.tree.areas.units.buffer === image,
  postcode: hit && directory.postcodeAt(hit.id)
})
