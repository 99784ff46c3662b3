"""What the questions share: data, clocks, peers and the printing of answers."""
