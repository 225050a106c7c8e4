// The examples with the widget on a plain page and in React.
import { describeWidgetExamples } from "./describeWidgetExamples.ts"

describeWidgetExamples(["widget-html", "widget-react"])
