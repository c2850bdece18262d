import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { FigureLink } from '#ui/figures/figure-link.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { typesQuery } from './certification.api.ts'
import type { ChangeSearch } from './certification-search.ts'
import styles from './certifications.module.css'

/** How many people hold each type today. Each number filters the list. */
export function TypeSummary({ change }: { change: ChangeSearch }) {
  const query = useQuery(typesQuery)
  return (
    <SectionCard title="By type" isFlush>
      <QueryView query={query} failure="Error: Failed to fetch certification types">
        {({ types }) => (
          <PlainTable label="Certifications by type">
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col" className={figure}>
                  Valid
                </th>
                <th scope="col" className={figure}>
                  All
                </th>
              </tr>
            </thead>
            <tbody>
              {types
                .filter(({ isRetired }) => !isRetired)
                .map(({ id, certificationName, isRequired, valid, certifications }) => (
                  <tr key={id}>
                    <td className={styles.type}>
                      {certificationName}
                      {isRequired && <span className={styles.meta}>required for on-site sessions</span>}
                    </td>
                    <td className={figure}>
                      <FigureLink
                        label={`Valid ${certificationName}`}
                        onOpen={() => change({ type: id, status: 'valid', page: 1 })}
                      >
                        {formatInteger(valid)}
                      </FigureLink>
                    </td>
                    <td className={figure}>
                      <FigureLink
                        label={`All ${certificationName}`}
                        onOpen={() => change({ type: id, status: 'all', page: 1 })}
                      >
                        {formatInteger(certifications)}
                      </FigureLink>
                    </td>
                  </tr>
                ))}
            </tbody>
          </PlainTable>
        )}
      </QueryView>
    </SectionCard>
  )
}
