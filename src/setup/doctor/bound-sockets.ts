/**
 * A script for Perl, which is where git is: connects to addresses, and sends a packet to each, by sockets that name the
 * device they go through. The kernel asks no route for these. It prints `<address> by <way>` for each connection it gets.
 * Its arguments are the words before each line, a port, and the addresses; Node.js cannot open such sockets.
 */
export const BOUND_SOCKETS = `
use strict; use Socket qw(:all); use Fcntl;
my ($said, $port, @addresses) = @ARGV;
open(my $list, "<", "/proc/net/dev") or exit;
my @devices = grep { $_ ne "lo" } map { /^\\s*([^:\\s]+):/ ? $1 : () } <$list>;
my @open;
for my $device (@devices) {
  for my $address (@addresses) {
    my $isSix = $address =~ /:/;
    my @forms = $isSix ? ([AF_INET6, $address]) : ([AF_INET, $address], [AF_INET6, "::ffff:$address"]);
    for my $form (@forms) {
      for my $way ("SO_BINDTODEVICE", "UNICAST_IF", "SO_DONTROUTE") {
        for my $type (SOCK_STREAM, SOCK_DGRAM) {
          my ($family, $name) = @$form;
          socket(my $socket, $family, $type, 0) or next;
          my $asked = pack("a16x24", $device);
          ioctl($socket, 0x8933, $asked) or next;
          my $index = unpack("x16i", $asked);
          my @option = $way eq "SO_BINDTODEVICE" ? (SOL_SOCKET, 25, "$device\\0")
            : $way eq "SO_DONTROUTE" ? (SOL_SOCKET, 5, pack("i", 1))
            : $isSix ? (41, 76, pack("N", $index)) : (0, 50, pack("N", $index));
          setsockopt($socket, $option[0], $option[1], $option[2]) or next;
          my $binary = inet_pton($family, $name);
          my $place = $family == AF_INET ? pack_sockaddr_in($port, $binary) : pack_sockaddr_in6($port, $binary);
          fcntl($socket, F_SETFL, O_NONBLOCK);
          if ($type == SOCK_DGRAM) { send($socket, "door", 0, $place); next; }
          connect($socket, $place);
          push @open, [$socket, "$name by $way"];
        }
      }
    }
  }
}
my $last = time + 3;
while (@open && time < $last) {
  my @left;
  for (@open) { if (getpeername($_->[0])) { print "\n$said$_->[1]\n" } elsif (!unpack("i", getsockopt($_->[0], SOL_SOCKET, SO_ERROR))) { push @left, $_ } }
  @open = @left;
  select(undef, undef, undef, 0.05) if @open;
}
`;
