/** Ways to write an internal address in a URL. None may be saved, and none may be connected to. */
export const internalUrls = `
  https://127.0.0.1/ https://127.0.0.1./ https://127.1/ https://127.0.1/ https://127.255.255.254/
  https://2130706433/ https://0x7f000001/ https://0x7f.1/ https://0x7f.0.0.1:8443/x https://0X7F000001/
  https://017700000001/ https://0177.0.0.1/ https://00000177.00.00.01/ https://0177.0x0.0.1/
  https://0/ https://0.0.0.0/ https://0x0/ https://00/ https://0.0.0.0./
  https://10.1/ https://10.0.0.1/ https://0xa000001/ https://167772161/
  https://172.16.0.1/ https://172.31.255.254/ https://192.168.1.1:443/ https://3232235777/
  https://100.64.0.1/ https://100.100.100.200/ https://192.0.0.192/ https://198.18.0.1/ https://224.0.0.1/
  https://255.255.255.255/ https://4294967295/
  https://169.254.169.254/latest/meta-data https://2852039166/ https://0xa9fea9fe/ https://0251.0376.0251.0376/
  https://169.254.43518/ https://[fd00:ec2::254]/latest/meta-data https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/
  https://[::]/ https://[::1]/ https://[0:0:0:0:0:0:0:1]/ https://[0000::0001]/ https://[::ffff:127.0.0.1]/
  https://[::ffff:7f00:1]/ https://[0:0:0:0:0:ffff:7f00:1]/ https://[::127.0.0.1]/ https://[::ffff:0:127.0.0.1]/
  https://[64:ff9b::127.0.0.1]/ https://[64:ff9b::a00:1]/ https://[64:ff9b::a9fe:a9fe]/ https://[64:ff9b:1::7f00:1]/
  https://[2002:7f00:1::]/ https://[2002:a00:1::1]/ https://[2002:a9fe:a9fe::]/ https://[2001::1]/
  https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ https://[fc00::1]/ https://[fd12:3456:789a::1]/ https://[fe80::1]/
  https://[febf::1]/ https://[fec0::1]/ https://[ff02::1]/ https://[100::1]/ https://[3fff::1]/
  https://１２７.0.0.1/ https://127。0。0。1/ https://①②⑦.0.0.1/ https://127%2e0%2e0%2e1/ https://%31%32%37.0.0.1/
  https://hooks.example.com@127.0.0.1/ https://hooks.example.com:443@127.0.0.1/ https://hooks.example.com%40127.0.0.1@10.0.0.1/
  https://127.0.0.1#@hooks.example.com/ https://127.0.0.1?@hooks.example.com/ https://127.0.0.1\\@hooks.example.com/
  https:127.0.0.1/ https:///127.0.0.1/ https:\\\\127.0.0.1/`
  .split(/\s+/)
  .filter(Boolean)
