"""The method `plan` where friendship anonymity is asked for: few degrees, and k people for each pair of them."""
