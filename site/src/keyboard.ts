/**
 * What is wider than the page can be reached by keyboard, and so be moved. Code would be seen to by Starlight a little
 * later, which calls each block a region of the page, and gives none of them a name.
 */
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0")
    else target.removeAttribute("tabindex")
  }
})
for (const block of document.querySelectorAll(".sl-markdown-content :is(pre, table)")) observer.observe(block)
