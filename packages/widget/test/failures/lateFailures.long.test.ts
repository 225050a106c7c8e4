/** Failures that come late, once the user has gone on to something else. */

import { usePickers } from "../picker/PickerPage.ts"
import { describeLateAnswers } from "./describeLateAnswers.ts"

describeLateAnswers(true, usePickers())
