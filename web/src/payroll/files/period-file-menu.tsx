import {
  downloadPayPeriod,
  PayPeriodFormat,
  payPeriodFormatLabels,
} from '@limber/contract/payroll/files/pay-period-file.ts'
import { Menu } from '@mantine/core'
import { addressOf } from '#platform/api/request.ts'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'

/** The formats in which a pay period can be downloaded. */
export default function PeriodFileMenu({ id }: { id: number }) {
  return (
    <OpenMenu width={200} position="bottom-end" withinPortal>
      {PayPeriodFormat.options.map((format) => (
        <Menu.Item
          key={format}
          component="a"
          download
          href={addressOf(downloadPayPeriod, { params: { id: String(id), format } })}
        >
          {payPeriodFormatLabels[format]}
        </Menu.Item>
      ))}
    </OpenMenu>
  )
}
