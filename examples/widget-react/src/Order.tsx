/** A form with a picker in it. */
import type { PostcodeSelection } from "@postcode/widget"
import { PostcodePicker } from "@postcode/widget/react"
import { useState } from "react"

export const Order = () => {
  const [selection, setSelection] = useState<PostcodeSelection>()
  const [ordered, setOrdered] = useState<string>()
  const [problem, setProblem] = useState<string>()
  return (
    <>
      <h1>Where should it go?</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setOrdered(String(new FormData(event.currentTarget).get("postcode")))
        }}
      >
        <p>
          <label htmlFor="where">Postcode</label>
          <PostcodePicker
            id="where"
            name="postcode"
            required
            gateway={import.meta.env.GATEWAY}
            onSelect={setSelection}
            onProblem={({ message }) => setProblem(message)}
          />
        </p>
        <button type="submit">Order</button>
      </form>
      {selection && <p>Picked {selection.formatted}.</p>}
      {ordered && <p>Ordered: postcode={ordered}</p>}
      {problem && <p role="alert">The postcode service answered: {problem}</p>}
    </>
  )
}
