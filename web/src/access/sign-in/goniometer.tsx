import styles from './goniometer.module.css'

type Point = readonly [x: number, y: number]

const at = (radius: number, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180
  return [radius * Math.cos(angle), -radius * Math.sin(angle)]
}
const spot = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
const line = (from: Point, to: Point) => `M${spot(from)}L${spot(to)}`
const arc = (radius: number) => `M${radius} 0A${radius} ${radius} 0 0 0 ${-radius} 0`

const outer = Array.from({ length: 181 }, (_, degree) => degree)
const inner = Array.from({ length: 91 }, (_, half) => half * 2)
const outerLength = (degree: number) => (degree % 10 === 0 ? 26 : degree % 5 === 0 ? 16 : 9)

const minor = [
  ...[220, 300, 430, 560].map(arc),
  ...outer
    .filter((degree) => degree % 10 !== 0)
    .map((degree) => line(at(560, degree), at(560 - outerLength(degree), degree))),
  ...inner.map((degree) => line(at(300, degree), at(degree % 10 === 0 ? 286 : 293, degree))),
  'M-600 0H600',
].join('')
const major = outer
  .filter((degree) => degree % 10 === 0)
  .map((degree) => line(at(560, degree), at(534, degree)))
  .join('')
const figures = outer.filter((degree) => degree % 10 === 0 && degree > 0 && degree < 180)

const START = 62
const END = 118

/** A line drawing of a goniometer, the instrument that measures a joint's range of motion. */
export function Goniometer() {
  return (
    <svg className={styles.gonio} viewBox="-620 -620 1240 640" aria-hidden>
      <path className={styles.minor} d={minor} />
      <path className={styles.major} d={major} />
      {figures.map((degree) => {
        const [x, y] = at(516, degree)
        const turn = `rotate(${90 - degree} ${x.toFixed(1)} ${y.toFixed(1)})`
        return (
          <text key={degree} className={styles.figure} x={x.toFixed(1)} y={y.toFixed(1)} transform={turn}>
            {degree}
          </text>
        )
      })}
      <path className={styles.sweep} d={`M0 0L${spot(at(430, START))}A430 430 0 0 0 ${spot(at(430, END))}Z`} />
      <path className={styles.rest} d={line([0, 0], at(585, START))} />
      <path className={styles.needle} d={line([0, 0], at(585, END))} />
      <circle className={styles.hub} r="9" />
      <circle className={styles.pin} r="3" />
    </svg>
  )
}
