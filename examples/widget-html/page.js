// What the page does with a picker: it listens, and shows what was picked, or what went wrong.
const picker = document.querySelector("postcode-picker")
const output = document.querySelector("output")

picker.addEventListener("postcode-select", ({ detail }) => {
  output.textContent = `Picked ${detail.formatted}.`
})
picker.addEventListener("postcode-problem", ({ detail }) => {
  output.textContent = `The postcode service answered: ${detail.message}`
})

// A form sends the postcode like any field. This one shows what would be sent, and stays.
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault()
  output.textContent = `Ordered: ${new URLSearchParams(new FormData(event.target))}`
})
