/** Every flow to a postcode by mouse. */
import { describeFlows } from "./describeFlows.ts"
import { usePickers } from "./PickerPage.ts"

describeFlows(["mouse"], usePickers())
