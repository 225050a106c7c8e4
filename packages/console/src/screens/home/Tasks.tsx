import { Badge } from "../../kit/data/Badge.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { environment } from "../../state/environment.ts"
import type { Task } from "./useTasks.ts"

/** What needs doing, each with a link to where it is done. */
export const Tasks = ({ tasks }: { readonly tasks: ReadonlyArray<Task> }) => (
  <Section title="Needs attention" {...(tasks.length === 0 && { lead: "Nothing right now." })}>
    {tasks.length > 0 && (
      <ul class="steps">
        {tasks.map(({ meaning, place, selected, title, tone }) => (
          <li key={`${place} ${title}`}>
            <div>
              <a
                href={`#${place}`}
                onClick={() => {
                  if (selected !== undefined) environment.value = selected
                }}
              >
                {title}
              </a>
              <span class="secondary">{meaning}</span>
            </div>
            <Badge tone={tone}>{toneWords[tone]}</Badge>
          </li>
        ))}
      </ul>
    )}
  </Section>
)

const toneWords = { bad: "Now", warning: "Soon", info: "To do" } as const
