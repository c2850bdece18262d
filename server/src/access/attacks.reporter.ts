import type { Reporter, TestModule } from 'vitest/node'

const row = /(^|\s)([WA-HJRZ])\d*\b/

/** Counts attack tests by the letter of their case: A email, B device code, and so on. */
export default class AttackReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const counts = new Map<string, number>()
    let failed = 0
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      const letter = row.exec(test.name.slice(0, 8))?.[2]
      // Tests that show what is accepted are not attacks.
      if (!letter || /\baccepts\b/.test(test.name)) continue
      if (test.result().state === 'passed') counts.set(letter, (counts.get(letter) ?? 0) + 1)
      else failed++
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const parts = [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([letter, count]) => `${letter} ${count}`)
    process.stdout.write(`\nAttack cases: ${total} repelled, ${failed} not (${parts.join(', ')})\n`)
  }
}
