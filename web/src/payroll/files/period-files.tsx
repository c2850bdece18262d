import {
  downloadPayPeriod,
  PayPeriodFormat,
  payPeriodFormatLabels,
} from '@limber/contract/payroll/files/pay-period-file.ts'
import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf } from '#platform/api/request.ts'
import { Icon } from '#ui/layout/icon.tsx'

/** Downloads a pay period for another program. */
export function PeriodFiles({ id, name }: { id: number; name: string }) {
  return (
    <Menu width={200} position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          aria-label={`Files of ${name}`}
          leftSection={<Icon of={IconDownload} size={14} />}
        >
          Files
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  )
}
