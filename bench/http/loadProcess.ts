/** The load generator as a separate process, so that it costs neither server. */
import { answerParent } from "./Child.ts"
import { runLoad } from "./load.ts"

answerParent(runLoad)
