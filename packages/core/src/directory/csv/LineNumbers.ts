/**
 * The line numbers of rows. Only rows that do not follow the previous row's line are stored, 8 bytes each: those after a
 * blank line, a bad row or a row of several lines.
 */
export class LineNumbers {
  /** The stored rows, ascending, and their lines. */
  private rows = new Uint32Array(16)
  private lines = new Uint32Array(16)
  private jumps = 0
  private nextLine = 0

  /** @param row one more than the previous; the first is 0 */
  add(row: number, line: number): void {
    if (line !== this.nextLine) {
      if (this.jumps === this.rows.length) this.grow()
      this.rows[this.jumps] = row
      this.lines[this.jumps] = line
      this.jumps++
    }
    this.nextLine = line + 1
  }

  lineOf(row: number): number {
    let low = 0
    let high = this.jumps - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.rows[middle] as number) <= row) low = middle
      else high = middle - 1
    }
    return (this.lines[low] as number) + row - (this.rows[low] as number)
  }

  private grow(): void {
    const { lines, rows } = this
    this.rows = new Uint32Array(2 * rows.length)
    this.rows.set(rows)
    this.lines = new Uint32Array(2 * lines.length)
    this.lines.set(lines)
  }
}
