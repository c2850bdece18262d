/** Axis steps up to a round maximum: four or five lines at round numbers. */
export function axisSteps(greatest: number): number[] {
  if (!(greatest > 0)) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(greatest / 4))
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power)
  // Counts have no halves, so small ones use whole steps, even if that takes one line more.
  const isFew = Number.isInteger(greatest) && greatest <= 10
  const step = isFew ? (greatest > 5 ? 2 : 1) : (steps.find((one) => one * 4 >= greatest * 0.999) ?? 10 * power)
  const count = Math.max(1, Math.ceil(greatest / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, place) => Math.round(place * step * 1e6) / 1e6)
}
