import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const report = process.env.UNIT_JSON_OUTPUT_FILE

/** The proofs take longest. Begun last, they would run alone. */
class ProofsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isProofs = ({ moduleId }: TestSpecification) => /\/proofs\/\w+\//.test(moduleId)
    return (await super.sort(files)).toSorted((a, b) => Number(isProofs(b)) - Number(isProofs(a)))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: ProofsFirst },
    projects: [
      'apps/*/vitest.config.ts',
      'packages/*/vitest.config.ts',
      '{bench,proofs,release,scripts}/vitest.config.ts',
    ],
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
})
