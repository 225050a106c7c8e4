// The examples with the widget.
import { describeWidgetExamples } from "./describeWidgetExamples.ts"

describeWidgetExamples(["widget-html", "widget-react", "widget-svelte", "widget-vue"])
