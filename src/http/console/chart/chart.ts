/** A plot of one or more series over the same categories. Values are whole numbers, as minor units. */
export interface Chart {
  /** Unique in its page. */
  readonly id: string
  readonly kind: 'bars' | 'stacked' | 'lines'
  readonly title: string
  /** A sentence that describes the plot, for screen readers. */
  readonly description: string
  /** Name of the first column of the table, as `Day`. */
  readonly axis: string
  /** Labels along the axis. */
  readonly categories: readonly string[]
  readonly series: readonly ChartSeries[]
  /** Text of a value in the table. */
  readonly format: (value: number) => string
  /** Text of a value at the axis; `format` by default. */
  readonly brief?: (value: number) => string
  /** Range of the axis, as 0 to 100 for percentages; found from the values by default. */
  readonly range?: readonly [number, number]
}

export interface ChartSeries {
  readonly label: string
  /** Colour of the stylesheet. */
  readonly colour: ChartColour
  /** A value for each category; undefined where there is none. */
  readonly values: readonly (number | undefined)[]
}

export type ChartColour = '1' | '2' | '3' | '4' | 'bad'
